"""django-oscar with its own templates: ``fill`` and ``serve PORT``."""

import json
import os
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command
from django.urls import include, path
from oscar import INSTALLED_APPS, defaults

HOME = Path(os.environ["ZOO_HOME"])
own = {name: value for name, value in vars(defaults).items() if name.startswith("OSCAR_")}
settings.configure(
    **own
    | {
        "SECRET_KEY": "zoo",
        "DEBUG": True,
        "ALLOWED_HOSTS": ["*"],
        "ROOT_URLCONF": __name__,
        "SITE_ID": 1,
        "USE_TZ": True,
        "STATIC_URL": "/static/",
        "MEDIA_URL": "/media/",
        "MEDIA_ROOT": str(HOME / "media"),
        "DEFAULT_AUTO_FIELD": "django.db.models.AutoField",
        "OSCAR_SHOP_NAME": "Haldor",
        "OSCAR_SHOP_TAGLINE": "Things that last",
        "OSCAR_DEFAULT_CURRENCY": "EUR",
        "OSCAR_MISSING_IMAGE_URL": "image_not_found.jpg",
        "OSCAR_INITIAL_ORDER_STATUS": "Pending",
        "OSCAR_INITIAL_LINE_STATUS": "Pending",
        "OSCAR_ORDER_STATUS_PIPELINE": {},
        "INSTALLED_APPS": [*INSTALLED_APPS, "sorl.thumbnail"],
        "DATABASES": {
            "default": {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": HOME / "shop.sqlite",
                "ATOMIC_REQUESTS": True,
            }
        },
        "HAYSTACK_CONNECTIONS": {
            "default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}
        },
        "MIDDLEWARE": [
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.locale.LocaleMiddleware",
            "django.middleware.common.CommonMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            "django.contrib.flatpages.middleware.FlatpageFallbackMiddleware",
            "oscar.apps.basket.middleware.BasketMiddleware",
        ],
        "TEMPLATES": [
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.debug",
                        "django.template.context_processors.request",
                        "django.template.context_processors.i18n",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                        "oscar.apps.search.context_processors.search_form",
                        "oscar.apps.checkout.context_processors.checkout",
                        "oscar.apps.communication.notifications.context_processors.notifications",
                        "oscar.core.context_processors.metadata",
                    ]
                },
            }
        ],
    }
)
django.setup()

from django.apps import apps  # noqa: E402  # needs the settings

urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include(apps.get_app_config("oscar").urls[0])),
]


def fill(site):
    from django.contrib.auth.models import User
    from oscar.apps.catalogue.categories import create_from_breadcrumbs
    from oscar.apps.partner.models import Partner, StockRecord
    from oscar.core.loading import get_model

    call_command("migrate", verbosity=0)
    partner = Partner.objects.create(name="Warehouse")
    Product = get_model("catalogue", "Product")
    made = []
    for item in site["products"]:
        kind, _ = get_model("catalogue", "ProductClass").objects.get_or_create(
            name=item["kind"], defaults={"track_stock": True}
        )
        for code, name, _value in item["specifications"]:
            kind.attributes.get_or_create(code=code, defaults={"name": name, "type": "text"})
        product = Product.objects.create(
            title=item["title"],
            slug=item["slug"],
            upc=item["sku"],
            product_class=kind,
            structure="parent" if item["variants"] else "standalone",
            description=item["html"],
        )
        for code, _name, value in item["specifications"]:
            setattr(product.attr, code, value)
        product.save()
        product.categories.add(create_from_breadcrumbs(item["category"]))
        sellable = [product]
        if item["variants"]:
            sellable = [
                Product.objects.create(
                    title=f"{item['title']}: {variant}", parent=product, structure="child"
                )
                for variant in item["variants"]
            ]
        for number, one in enumerate(sellable):
            StockRecord.objects.create(
                product=one,
                partner=partner,
                partner_sku=f"{item['sku']}-{number}",
                price=item["price"],
                price_currency=item["currency"],
                num_in_stock=7,
            )
        for review in item["reviews"]:
            user, _ = User.objects.get_or_create(
                username=review["author"][:60], defaults={"first_name": review["author"]}
            )
            get_model("reviews", "ProductReview").objects.create(
                product=product,
                user=user,
                score=review["stars"],
                title=review["title"],
                body=review["text"],
                status=1,
            )
        made.append(product)
    recommend = get_model("catalogue", "ProductRecommendation")
    for number, product in enumerate(made):
        for step in (1, 3, 5):
            other = made[(number + step) % len(made)]
            recommend.objects.get_or_create(primary=product, recommendation=other)
    print(json.dumps({product.slug: product.get_absolute_url() for product in made}))


if __name__ == "__main__":
    if sys.argv[1] == "fill":
        fill(json.load(sys.stdin))
    else:
        call_command("runserver", f"127.0.0.1:{sys.argv[2]}", "--noreload", "--insecure")
