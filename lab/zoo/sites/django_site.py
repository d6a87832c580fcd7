"""Settings common to the applications on Django; each site is a script.

``SCRIPT fill < JSON`` makes the database below ``$ZOO_HOME`` and prints the
paths of the pages by name as JSON; ``SCRIPT serve PORT`` answers on the loopback.
"""

import json
import os
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command

HOME = Path(os.environ.get("ZOO_HOME", "."))
DJANGO = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sites",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.sitemaps",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
PROCESSORS = [
    "django.template.context_processors.debug",
    "django.template.context_processors.request",
    "django.template.context_processors.i18n",
    "django.template.context_processors.media",
    "django.template.context_processors.static",
    "django.template.context_processors.tz",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
]


class NoMigrations:
    """Tables come from the models at once, which takes seconds instead of minutes."""

    def __contains__(self, app):
        return True

    def __getitem__(self, app):
        return None


def configure(
    apps, middleware=(), processors=(), builtins=(), prepare=lambda values: None, **own
):
    """Set up Django on SQLite; *own* settings win, *prepare* may change all of them."""
    templates = {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [*PROCESSORS, *processors],
            "builtins": list(builtins),
        },
    }
    database = {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(HOME / "site.sqlite"),
    }
    defaults = {
        "SECRET_KEY": "zoo",
        "DEBUG": True,
        "ALLOWED_HOSTS": ["*"],
        "ROOT_URLCONF": "__main__",
        "SITE_ID": 1,
        "LANGUAGES": [(code, code) for code in "en de fr es ja ru zh-hans ar".split()],
        "USE_TZ": True,
        "TIME_ZONE": "UTC",
        "STATIC_URL": "/static/",
        "STATIC_ROOT": str(HOME / "static"),
        "MEDIA_URL": "/media/",
        "MEDIA_ROOT": str(HOME / "media"),
        "DEFAULT_AUTO_FIELD": "django.db.models.AutoField",
        "INSTALLED_APPS": list(apps),
        "MIDDLEWARE": [*MIDDLEWARE, *middleware],
        "TEMPLATES": [templates],
        "DATABASES": {"default": database},
        "MIGRATION_MODULES": NoMigrations(),
    }
    values = defaults | own
    prepare(values)
    settings.configure(**values)
    django.setup()


def main(fill):
    """Run the command that the script got."""
    if sys.argv[1] == "serve":
        call_command(
            "runserver", f"127.0.0.1:{sys.argv[2]}", "--noreload", "--insecure"
        )
        return
    from django.db import connection, transaction

    connection.cursor().execute("pragma synchronous = off")
    call_command("migrate", run_syncdb=True, verbosity=0)
    with transaction.atomic():
        paths = fill(json.load(sys.stdin))
    print(json.dumps(paths))
