"""What the names of an empty container say of what a script will put there."""

from __future__ import annotations

import re
from typing import Final

ROOT_NAMES: Final = frozenset(
    """
        app client elm mount next ng page q-app render shell solid ui
        view viewport
    """.split()
)
"""Whole names of what an application takes for its own."""

ROOT_WORDS: Final = frozenset(
    """
        angular app application approot aurelia backbone blazor ember flutter gatsby
        isomorphic nuxt outlet preact qwik react remix root spa svelte sveltekit vue
        webapp
    """.split()
)
"""Words in such names."""

CONTENT_WORDS: Final = frozenset(
    """
        article articles body canvas catalog catalogue chapter chapters contenido
        content contents contenu corps cuerpo data description detail details doc
        docs document entries entry feed fragment full grid haupt hauptinhalt
        hydrate include inhalt inner island item items lazy list listing main manual
        more news output page pane paragraphs partial post posts product products
        prose reader recipe record records region remainder remaining render rest
        result results rows section sections specification specs stage stories
        story stream table teaser text topic transcript wiki
    """.split()
)
"""Words in the names of what holds main content."""

TEXT_WORDS: Final = frozenset(
    """
        app article articles body chapter chapters content contents contenido corps
        cuerpo docs document full fulltext inhalt loading main paragraphs prose reader
        remainder remaining rest result results skeleton story text transcript
    """.split()
)
"""Words in the names of what surely holds it."""

WAITING_WORDS: Final = frozenset(
    """
        async await busy deferred dots fetching ghost hydrating lazyload loader
        loading loadingstate pending placeholder preloader progress pulse shimmer
        skeleton skeletons spinner throbber waiting
    """.split()
)
"""Words in the names of what is shown until the content is there."""

WIDGET_WORDS: Final = frozenset(
    """
        addthis ads adsbygoogle adv advert alerts analytics announcer
        around arrow arrows assertive audio author awesome back backdrop background
        badge ban banner banners barcode bonus bookmark border btn bubble button
        buttons caja cart cdn chart charts chat clock close connatix countdown cover
        cta cursor cx debug debugger deco decoration dialog divider donate dummy
        effect facebook fb filler filter flash gadget gallery gam gmap gmaps google
        gradient graph gtm helper helpers hero hint icon icons iframe indicator
        injected inread insert intercom interstitial jwplayer kaltura launcher
        leaflet like likes linie live locator loggly login logo map mapa mapbox maps
        marker matomo mediavine message messages messenger meta metrics mgid modals
        mpu msg nativendo notice notification notifications notify observer offset
        ornament overlay overlays pagetop particles paywall piano pin pixel player
        players plugin polite poll popover popups portal portals preview price
        progressbar promo prompt push px qr quiz rating ratings reaction reactions
        recaptcha recirc recs resize reviews ribbon rule ruler save saved
        scrollbar scroller scrolltop sensor sentinel sep separador separator shadow
        shape shapes sharing shim shopify slick slide slider slides slideshow
        snackbar spacer spacing speak spinup splash splide sprite sr stars stats
        status stripe survey svg swiper teads thumb thumbnail thumbs tiktok timer
        tip tippy toast toaster toasts toggle tooltips tracker tracking trailer
        trustpilot tv twitter vid video videos vimeo wave waves waypoint weather
        weibo whatsapp widget wistia yandex youtube zendesk zoom
    """.split()
)
"""Words in the names of what never holds main content."""

SPACER_WORDS: Final = frozenset(
    """
        after anchor before bg bottom clear clearall clearboth clearer clearfix clr
        end fixed flex float gap hidden hr line mask row sticky top
    """.split()
)
"""Words in the names of what is there for its looks, where there is no other name."""

FRAGMENT_TAGS: Final = frozenset(
    """
        astro-island astro-static-slot include-fragment is-land lazy-include
        remote-content turbo-frame unpoly-fragment html-include ng-view ui-view
        ng-include router-view nuxt-page app-root
    """.split()
)
"""Elements that stand for what is loaded later."""

LONGEST_NAME: Final = 100
"""Of an attribute, for its name to mean something."""

URL_ATTRIBUTE: Final = re.compile(
    r"(?:data-)?(?:hx|up|ic|ts|unpoly)-(?:get|req|src)|w3-include-html|ng-include|src"
    r"|data-[a-z-]*(?:ajax|api|async|deferred?|endpoint|fetch|feed|fragment|hinclude"
    r"|href|include|json|lazy|load|partial|path|remote|resource|source|src|template"
    r"|uri|url)[a-z-]*"
)
"""Attributes with the address of what is to be loaded into their element."""

BOUND_ATTRIBUTE: Final = re.compile(
    r"v-[a-z-]+(?::.*)?|[:@][a-z].*|x-(?:data|for|html|if|init|show|text)(?:\..*)?"
    r"|(?:data-)?ng-(?:app|bind|bind-html|controller|if|repeat|show|view|cloak)"
    r"|ui-view|data-bind|data-controller|data-component|data-react[a-z-]*|data-props"
    r"|data-island|data-hydrate|data-vue[a-z-]*|data-page|data-view|data-mount"
    r"|data-server-rendered|wire:.*|is|client:.*|component|_ngcontent.*|q:.*"
)
"""Attributes by which a framework fills an element."""
