"""django-oscar, a shop with its own templates."""

from django.core.management import call_command
from django.urls import include, path
from django_site import HOME, configure, main
from oscar import INSTALLED_APPS, defaults

SHOP = {
    name: value for name, value in vars(defaults).items() if name.startswith("OSCAR_")
}
SHOP |= {
    "OSCAR_SHOP_NAME": "Haldor",
    "OSCAR_SHOP_TAGLINE": "Things that last",
    "OSCAR_DEFAULT_CURRENCY": "EUR",
    "OSCAR_INITIAL_ORDER_STATUS": "Pending",
    "OSCAR_INITIAL_LINE_STATUS": "Pending",
    "OSCAR_ORDER_STATUS_PIPELINE": {},
    "OSCAR_PRODUCTS_PER_PAGE": 8,
}
configure(
    [*INSTALLED_APPS, "sorl.thumbnail"],
    middleware=["oscar.apps.basket.middleware.BasketMiddleware"],
    processors=[
        "oscar.apps.search.context_processors.search_form",
        "oscar.apps.checkout.context_processors.checkout",
        "oscar.apps.communication.notifications.context_processors.notifications",
        "oscar.core.context_processors.metadata",
    ],
    HAYSTACK_CONNECTIONS={
        "default": {
            "ENGINE": "haystack.backends.whoosh_backend.WhooshEngine",
            "PATH": str(HOME / "search"),
        }
    },
    **SHOP,
)

from django.apps import apps  # noqa: E402  # needs the settings

urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include(apps.get_app_config("oscar").urls[0])),
]


def fill(products):
    from django.contrib.auth.models import User
    from oscar.apps.catalogue.categories import create_from_breadcrumbs
    from oscar.apps.partner.models import Partner, StockRecord
    from oscar.core.loading import get_model

    partner = Partner.objects.create(name="Warehouse")
    Product = get_model("catalogue", "Product")
    made = []
    for item in products:
        kind, _ = get_model("catalogue", "ProductClass").objects.get_or_create(
            name=item["kind"], defaults={"track_stock": True}
        )
        for code, name, _value in item["specifications"]:
            kind.attributes.get_or_create(
                code=code, defaults={"name": name, "type": "text"}
            )
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
                    title=f"{item['title']}: {variant}",
                    parent=product,
                    structure="child",
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
                num_in_stock=item.get("stock", 7),
            )
        for review in item["reviews"]:
            user, _ = User.objects.get_or_create(
                username=review["author"][:60],
                defaults={"first_name": review["author"]},
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
    call_command("update_index", verbosity=0)
    return {product.slug: product.get_absolute_url() for product in made}


if __name__ == "__main__":
    main(fill)
