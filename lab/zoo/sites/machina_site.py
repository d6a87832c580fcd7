"""django-machina, a forum with its own templates."""

from datetime import datetime, timezone

from django.urls import include, path
from django_site import DJANGO, configure, main
from machina import MACHINA_MAIN_STATIC_DIR, MACHINA_MAIN_TEMPLATE_DIR

OWN = (
    "forum forum_conversation forum_conversation.forum_attachments "
    "forum_conversation.forum_polls forum_feeds forum_moderation forum_search "
    "forum_tracking forum_member forum_permission"
)
MEMORY = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}


def add_templates(values):
    values["TEMPLATES"][0]["DIRS"] = [MACHINA_MAIN_TEMPLATE_DIR]


configure(
    [*DJANGO, "mptt", "haystack", "widget_tweaks", "machina"]
    + [f"machina.apps.{name}" for name in OWN.split()],
    middleware=["machina.apps.forum_permission.middleware.ForumPermissionMiddleware"],
    processors=["machina.core.context_processors.metadata"],
    prepare=add_templates,
    STATICFILES_DIRS=[MACHINA_MAIN_STATIC_DIR],
    CACHES={"default": MEMORY, "machina_attachments": MEMORY},
    HAYSTACK_CONNECTIONS={
        "default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}
    },
    MACHINA_FORUM_NAME="Workbench forum",
    MACHINA_MARKUP_LANGUAGE=(
        "machina.core.markdown.markdown",
        {"extras": ["fenced-code-blocks", "tables", "nofollow", "cuddled-lists"]},
    ),
)

urlpatterns = [path("", include("machina.urls"))]


def fill(threads):
    from django.contrib.auth.models import AnonymousUser, User
    from machina.apps.forum_permission.shortcuts import assign_perm
    from machina.core.db.models import get_model

    forums = get_model("forum", "Forum")
    topics = get_model("forum_conversation", "Topic")
    posts = get_model("forum_conversation", "Post")
    profiles = get_model("forum_member", "ForumProfile")
    paths, users = {}, {}
    root = forums.objects.create(name="Workshop", type=1, description="All about it")
    for thread in threads:
        forum = forums.objects.filter(name=thread["forum"]).first()
        if forum is None:
            about = f"Questions and answers: {thread['forum'].lower()}"
            forum = forums.objects.create(
                name=thread["forum"], type=0, parent=root, description=about
            )
            assign_perm("can_see_forum", AnonymousUser(), forum)
            assign_perm("can_read_forum", AnonymousUser(), forum)
        topic = None
        for post in thread["posts"]:
            name = post["author"]
            if name not in users:
                users[name] = User.objects.create(username=name)
                signature = thread["signatures"].get(name, "")
                profiles.objects.update_or_create(
                    user=users[name], defaults={"signature": signature}
                )
            if topic is None:
                topic = topics.objects.create(
                    forum=forum,
                    poster=users[name],
                    subject=thread["title"],
                    type=0,
                    status=0,
                )
                subject = thread["title"]
            made = posts.objects.create(
                topic=topic, poster=users[name], subject=subject, content=post["text"]
            )
            moment = datetime.fromisoformat(post["date"]).replace(tzinfo=timezone.utc)
            posts.objects.filter(pk=made.pk).update(created=moment, updated=moment)
            subject = f"Re: {thread['title']}"
        forum_part = f"forum/{forum.slug}-{forum.pk}"
        paths[thread["slug"]] = f"/{forum_part}/topic/{topic.slug}-{topic.pk}/"
        paths[f"forum {forum.name}"] = f"/{forum_part}/"
    assign_perm("can_see_forum", AnonymousUser(), root)
    assign_perm("can_read_forum", AnonymousUser(), root)
    return paths


if __name__ == "__main__":
    main(fill)
