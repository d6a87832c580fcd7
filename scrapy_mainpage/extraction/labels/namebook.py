"""Words of class names, ids and labels in several languages, by what they name."""

from __future__ import annotations

from typing import Final

from .states import State

# What stands between hyphens, underscores and capitals. Words that are joined with "-"
# here are found in a row.
WORDS: Final = {
    State.CONSENT: """
        borlabs cc-banner cc-window ccpa cky cmpbox cmplz cmpwrapper consent cookie
        cookiebanner cookiebar cookiebot cookiebox cookieconsent cookielaw
        cookienotice cookies datapolicy didomi dsgvo euconsent gdpr iubenda klaro lgpd
        onetrust ot-pc ot-sdk privacy-banner privacy-center privacy-manager
        privacy-settings qc-cmp rgpd sp-dsgvo truste usercentrics
    """,
    State.BREADCRUMB: """
        bread bread-crumb breadcrumb breadcrumblist breadcrumbs brotkrumen
        brotkrumenpfad crumb crumbs crumbtrail kruimelpad miettes migas navpath
        navtrail pathbar pathway rootline you-are-here
    """,
    State.PAGINATION: """
        article-nav article-pagination nav-above nav-below nav-links nav-next
        nav-previous next-article next-post next-prev page-nav page-navigation
        page-numbers pagebar pagecount pagenav pagenavi pager pages-nav paginacion
        pagination paginator paging post-nav post-navigation post-pagination postnav
        posts-navigation prev-article prev-next prev-post previous-article
        previous-post prevnext seitennavigation stronicowanie wp-pagenavi
    """,
    State.ADVERTISEMENT: """
        ad adbanner adblock adbox adcontainer ads adsense adslot adunit advert
        advertise advertisement advertisements advertising advertorial adverts advr
        adwrapper affiliate annonce anzeige anzeigen billboard commercial deal deals
        dfp dianomi gg gpt guanggao leaderboard mediago mgid outbrain promo promobox
        promos promoted pubblicita publicidad publicidade publicite reklam reklama
        reklame revcontent skyscraper sponsor sponsored sponsors taboola werbung
    """,
    State.COMMENTS: """
        addcomment comentario comentarios comment comment-form commentaire
        commentaires commentary commentform commenti commenting commentlist comments
        coral discussion disqus gentie guestbook komentarz komentarze kommentar
        kommentare leave-comment livefyre opinions pinglun post-comment reacties
        replies reply respond spotim talkback tie user-comments wpdiscuz
    """,
    State.SHARE: """
        addthis addtoany article-tools bdshare bookmark bookmarks compartir fenxiang
        follow follow-us followus heateor jiathis partager rrss share share-buttons
        sharebar sharebox sharebuttons shares sharethis shariff sharing sns social
        social-icons social-links social-media socialbar socialize sociallist
        socialmedia socials socialshare tbshare teilen tweet udostepnij
    """,
    State.RELATED: """
        aehnliche also-like also-read articlelist aside-stories aside-story cross-sell
        crosssell end-of-article endofarticle endslate featured-posts headlines hot
        hot-list hot-news hotlist hotnews latest latestnews more-articles more-from
        more-news more-posts more-stories most-commented most-popular most-read
        most-viewed mostpopular mostread mostviewed newslist newsroll next-story
        nxstory paihang popular rank ranking read-also read-more read-next readalso
        readmore readnext recent recent-entries recent-posts recentposts recommend
        recommendation recommendations recommended recommends relacionadas relacionado
        relacionados related related-posts relateds see-also seealso similaires
        similar similar-threads suggested suggestion suggestions teaser teasers
        terkait terpopuler top-stories topstories trending tuijian up-next upnext
        upsell upsells verwandt verwandte xgyd xiangguan you-may
    """,
    State.ACCOUNT: """
        account anmelden anmeldung basket cart checkout log-in login logout logowanie
        masuk member-login minicart myaccount register registration sign-in sign-up
        signin signup user-menu userbar usermenu wishlist zaloguj
    """,
    State.FORM: """
        buscar captcha cerca contactform facet facets feedback filters form forms
        input mailchimp mailinglist newsletter newsletters poll qrcode quicksearch
        rating-form recherche refinement refinements search searchbar searchbox
        searchform signupform sok sort-by sortby sorting subscribe subscriber
        subscription suche survey swiftype szukaj vote voting wpcf7 zoeken
    """,
    State.BYLINE: """
        article-author article-date article-info article-keywords article-meta
        article-tags articlemeta attribution auteur author author-name authors autor
        autore autorenzeile avatar byline cat-links createdate credits date dateline
        datetime datum entry-categories entry-category entry-footer entry-info
        entry-meta entry-tags entry-topmeta entrymeta header-meta infos journalist
        keywords kicker member-since meta-data meta-info metadata metainfo modifydate
        news-date news-info post-author post-byline post-categories post-date
        post-details post-entry-meta post-info post-meta post-tags postdetails posted
        poster postmeta pubdate publishdate published published-date publisher
        read-time reading-time readtime reporter source story-meta tag-links tag-list
        taglist tags time timestamp topmeta user-info userinfo username writer
    """,
    State.LEGAL: """
        colophon-legal copy-right copyright copyrights disclaimer impressum imprint
        legal legalese legalnotice licence license terms
    """,
    State.NAVIGATION: """
        anchor-links archives back-to-top backtotop burger cat-item categories channel
        channels daohang drawer dropdown flyout hamburger hauptmenu hauptmenue lang-item
        lang-switcher langs language language-switcher languages languageswitcher
        mainmenu mainnav mainnavigation mega-menu megamenu meniu menu menubar menue
        menus menyu nav nav-menu navbar navi navigation navigator navmenu offcanvas
        page-anchor scrolltop secondary-nav sidenav sitemap skip skip-link skip-to
        skiplink skiplinks submenu subnav subnavi summary-nav table-of-contents
        tableofcontents tag-cloud tagcloud toc topics topmenu topnav totop
        widget-archive widget-categories widget-nav widget-pages
    """,
    State.SIDEBAR: """
        aside barra-lateral col-left col-right colonna colr complementary con-right
        left-col left-column left-rail leftbox leftcol leftcolumn leftrail leftside
        main-rt marginal marginalspalte rail randspalte right-col right-column
        right-content right-rail rightbox rightcol rightcolumn rightcontent rightrail
        rightside secondary seitenleiste side side-bar side-column sidebar sidebars
        sidecol sidepanel siderbar widget-area widgets
    """,
    State.FOOTER: """
        bottom-bar bottom-links bottom-menu bottomlinks bottomnav colophon contentinfo
        dibu foot footbar footer footer-wrapper footerbar footercontent footerlinks
        footermenu footernav ft fuss fussbereich fusszeile globalfooter page-footer
        pagefooter pie piepagina prefooter rodape site-footer sitefooter stopka
        subfooter
    """,
    State.HEADER: """
        breaking-news cabecalho cabecera head header kopf kopfzeile livestream
        masthead naglowek page-header pageheader site-header siteheader testata ticker
        toolbar-top top-bar top-panel topbar toplinks toppanel utility utilitybar
        weather
    """,
    State.BRAND: """
        brand branding logo logotype site-branding site-description site-name
        site-title sitename slogan tagline univ-name
    """,
    State.OVERLAY: """
        alert calendar carousel-control controls lightbox minicart-drawer modal
        noscript overlay-content player playrate playtime pop-up popup slick-arrow
        slick-next slick-prev swiper-button toast tooltip
    """,
    State.CONTENT: """
        article-body article-content article-full-text article-text articlebody
        articlecontent articletext body-text content-body contentbody entry-content
        entrycontent main-content maincontent message-body mw-parser-output news-text
        newstext page-content post-body post-content post-text postbody postcontent
        postmessage prose richtext story-body story-content story-text storybody
        td-post-content
    """,
}

CAPTION_WORDS: Final = frozenset(
    """
        bildtext bildunterschrift caption captions captiontext figcaption
        image-caption image-credit imagecaption img-caption legend photo-caption
        photo-credit photocaption subtitle-image thumbcaption wp-caption-text
    """.split()
)
"""Names of captions."""

PICTURE_WORDS: Final = frozenset(
    """
        bild bilder figure foto image imageblock images newsitem-image photo
        photocredit photos pic picture thumb
    """.split()
)
"""Names of what is around a picture: a short text there is its caption."""

NETWORKS: Final = frozenset(
    """
        facebook instagram linkedin pinterest qzone telegram twitter wechat weibo
        weixin whatsapp youtube
    """.split()
)
"""Social networks."""
