"""The settings of the project."""

BOT_NAME = "example"
SPIDER_MODULES = ["example.spiders"]
NEWSPIDER_MODULE = "example.spiders"

# Who is crawling, and where a site's owner can write to. Put your own address here.
USER_AGENT = "example-crawler (+https://example.com/contact)"

# Be a guest: obey robots.txt, and adapt the pace to how fast the site answers.
ROBOTSTXT_OBEY = True
DOWNLOAD_DELAY = 0.5
CONCURRENT_REQUESTS_PER_DOMAIN = 2
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 1.0
AUTOTHROTTLE_TARGET_CONCURRENCY = 1.0
HTTPCACHE_ENABLED = False
TELNETCONSOLE_ENABLED = False

# The plugin. This line is all it needs; the settings below are options.
ADDONS = {"scrapy_mainpage.Addon": 500}

# Field of the item -> attribute of the page. Values set by the spider are kept.
MAINPAGE_ITEM_FIELDS = {
    "title": "title",
    "text": "text",
    "language": "language",
    "author": "metadata.author",
    "date_published": "metadata.date_published",
    "words": "words",
    "words_total": "words_total",
}

# Drop pages with next to no main content (lists of tags, login forms, empty shells).
MAINPAGE_FILTER_ENABLED = True
MAINPAGE_FILTER_MIN_WORDS = 50

# Drop pages with the text of an earlier one: print versions, mirrors, session URLs.
# It needs: pip install "scrapy-mainpage[duplicates]"
MAINPAGE_DUPLICATES_ENABLED = True

# Pages that JavaScript builds are left as they are downloaded. With "auto" a browser
# renders them; it needs: pip install "scrapy-mainpage[playwright]", and a Chromium.
MAINPAGE_RENDER = "never"

# Everything that is kept can be searched: scrapy mainpage-search site.db QUERY
# PostgreSQL, OpenSearch and Elasticsearch have other URLs; a list has several.
MAINPAGE_INDEX = "sqlite:///site.db"

FEEDS = {
    "items.jsonl": {"format": "jsonlines", "encoding": "utf8", "overwrite": True},
}
