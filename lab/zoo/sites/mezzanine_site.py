"""Mezzanine's blog and its shop Cartridge, with their own templates."""

from datetime import datetime, timezone

from django.urls import include, path
from django_site import DJANGO, configure, main
from mezzanine.utils.conf import set_dynamic_settings

OWN = "boot conf core generic pages blog forms galleries".split()
configure(
    [
        *DJANGO,
        "django.contrib.redirects",
        *(f"mezzanine.{name}" for name in OWN),
        "cartridge.shop",
    ],
    middleware=[
        "cartridge.shop.middleware.ShopMiddleware",
        "mezzanine.core.request.CurrentRequestMiddleware",
        "mezzanine.core.middleware.SitePermissionMiddleware",
        "mezzanine.pages.middleware.PageMiddleware",
    ],
    processors=[
        "mezzanine.conf.context_processors.settings",
        "mezzanine.pages.context_processors.page",
    ],
    builtins=["mezzanine.template.loader_tags"],
    prepare=set_dynamic_settings,
    AUTHENTICATION_BACKENDS=["mezzanine.core.auth_backends.MezzanineBackend"],
    LANGUAGE_CODE="en",
    LANGUAGES=[("en", "English")],
    USE_I18N=False,
    OPTIONAL_APPS=["filebrowser_safe", "grappelli_safe"],
    PACKAGE_NAME_FILEBROWSER="filebrowser_safe",
    PACKAGE_NAME_GRAPPELLI="grappelli_safe",
    MIGRATION_MODULES={},
    SITE_TITLE="Kiln & Kettle",
    SITE_TAGLINE="Pots, pans and what to do with them",
    BLOG_SLUG="blog",
    SHOP_CURRENCY_LOCALE="en_IE.UTF-8",
)

from mezzanine.core.views import direct_to_template  # noqa: E402  # needs the settings

urlpatterns = [
    path("shop/", include("cartridge.shop.urls")),
    path("", direct_to_template, {"template": "index.html"}, name="home"),
    path("", include("mezzanine.urls")),
]


def fill(site):
    from mezzanine.pages.models import RichTextPage

    for title in ("About us", "Delivery", "Contact"):
        RichTextPage.objects.create(title=title, content=f"<p>{title}.</p>")
    return fill_blog(site["posts"]) | fill_shop(site["products"])


def moment(date):
    return datetime.fromisoformat(date).replace(tzinfo=timezone.utc)


def fill_blog(posts):
    from django.contrib.auth.models import User
    from mezzanine.blog.models import BlogCategory, BlogPost
    from mezzanine.generic.models import AssignedKeyword, Keyword, ThreadedComment

    paths, before = {}, None
    for item in posts:
        first, _, last = item["author"].partition(" ")
        user, _ = User.objects.get_or_create(
            username=first.lower(), defaults={"first_name": first, "last_name": last}
        )
        post = BlogPost.objects.create(
            title=item["title"],
            slug=item["slug"],
            user=user,
            content=item["html"],
            publish_date=moment(item["date"]),
        )
        for tag in item["tags"]:
            category, _ = BlogCategory.objects.get_or_create(title=tag.title())
            post.categories.add(category)
            keyword, _ = Keyword.objects.get_or_create(title=tag)
            post.keywords.add(AssignedKeyword(keyword=keyword), bulk=False)
        if before:
            post.related_posts.add(before)
        before, answered = post, None
        for number, comment in enumerate(item["comments"]):
            answered = ThreadedComment.objects.create(
                content_object=post,
                site_id=1,
                user_name=comment["author"],
                comment=comment["text"],
                submit_date=moment(comment["date"]),
                replied_to=answered if number % 2 else None,
            )
        paths[item["slug"]] = post.get_absolute_url()
    return paths


def fill_shop(products):
    from cartridge.shop.models import Category, Product, ProductVariation

    paths, made = {}, []
    for item in products:
        category, _ = Category.objects.get_or_create(title=item["category"])
        product = Product.objects.create(
            title=item["title"],
            slug=item["slug"],
            content=item["html"],
            available=True,
            sku=item["sku"],
            unit_price=item["price"],
            num_in_stock=9,
        )
        product.categories.add(category)
        variants = [str(variant) for variant in item["variants"]] or [None]
        for number, variant in enumerate(variants):
            ProductVariation.objects.create(
                product=product,
                sku=f"{item['sku']}-{number}",
                option1=variant,
                unit_price=item["price"],
                num_in_stock=9,
                default=not number,
            )
        product.copy_default_variation()
        for other in made[-3:]:
            product.related_products.add(other)
        made.append(product)
        paths[item["slug"]] = product.get_absolute_url()
        paths[f"category {item['category']}"] = category.get_absolute_url()
    return paths


if __name__ == "__main__":
    main(fill)
