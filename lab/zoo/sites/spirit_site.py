"""Spirit, a forum with its own templates."""

from datetime import datetime, timezone

from django.urls import include, path
from django_site import DJANGO, HOME, configure, main

OWN = (
    "core admin search user user.admin user.auth category category.admin topic "
    "topic.admin topic.favorite topic.moderate topic.notification topic.private "
    "topic.unread comment comment.bookmark comment.flag comment.flag.admin "
    "comment.history comment.like comment.poll"
)
MEMORY = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
FILES = "django.contrib.staticfiles.storage.StaticFilesStorage"
configure(
    [app for app in DJANGO if not app.endswith((".sites", ".sitemaps"))]
    + [f"spirit.{name}" for name in OWN.split()]
    + ["djconfig", "haystack"],
    middleware=[
        "spirit.user.middleware.TimezoneMiddleware",
        "spirit.user.middleware.ActiveUserMiddleware",
        "spirit.core.middleware.PrivateForumMiddleware",
        "djconfig.middleware.DjConfigMiddleware",
    ],
    processors=["djconfig.context_processors.config"],
    MIGRATION_MODULES={},
    AUTHENTICATION_BACKENDS=["spirit.user.auth.backends.UsernameAuthBackend"],
    CACHES={"default": MEMORY, "st_rate_limit": MEMORY},
    HAYSTACK_CONNECTIONS={
        "default": {
            "ENGINE": "haystack.backends.whoosh_backend.WhooshEngine",
            "PATH": str(HOME / "search"),
        }
    },
    STORAGES={
        "default": {"BACKEND": "spirit.core.storage.OverwriteFileSystemStorage"},
        "staticfiles": {"BACKEND": FILES},
    },
    LOGIN_URL="spirit:user:auth:login",
    LOGIN_REDIRECT_URL="spirit:user:update",
    ST_SITE_URL="https://spirit.example/",
    ST_TASK_MANAGER=None,
)

urlpatterns = [path("", include("spirit.urls"))]


def fill(threads):
    from django.contrib.auth.models import User
    from spirit.category.models import Category
    from spirit.comment.models import Comment
    from spirit.core.utils.markdown import Markdown
    from spirit.topic.models import Topic

    paths, users = {}, {}
    for thread in threads:
        about = f"All about {thread['forum'].lower()}"
        category, _ = Category.objects.get_or_create(
            title=thread["forum"], defaults={"description": about}
        )
        topic = None
        for number, post in enumerate(thread["posts"]):
            name, date = post["author"], datetime.fromisoformat(post["date"])
            date = date.replace(tzinfo=timezone.utc)
            if name not in users:
                users[name] = User.objects.create(username=name)
                profile = users[name].st
                profile.nickname = name
                profile.save()
            if topic is None:
                topic = Topic.objects.create(
                    user=users[name],
                    category=category,
                    title=thread["title"],
                    date=date,
                )
            Comment.objects.create(
                user=users[name],
                topic=topic,
                comment=post["text"],
                comment_html=Markdown().render(post["text"]),
                date=date,
                likes_count=(number * 7) % 4,
            )
        Topic.objects.filter(pk=topic.pk).update(
            comment_count=len(thread["posts"]), last_active=date
        )
        paths[thread["slug"]] = topic.get_absolute_url()
        paths[f"forum {thread['forum']}"] = category.get_absolute_url()
    return paths


if __name__ == "__main__":
    main(fill)
