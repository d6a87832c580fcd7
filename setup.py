"""Builds the compiled modules against the headers that lxml's wheels carry.

Everything else stands in pyproject.toml.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import lxml
from Cython.Build import cythonize
from setuptools import Extension, setup

MODULES = (
    "scrapy_mainpage/extraction/_tables",
    "scrapy_mainpage/extraction/_textflow",
    "scrapy_mainpage/extraction/_meanings",
    "scrapy_mainpage/extraction/_treewalk",
    "scrapy_mainpage/extraction/_tagkinds",
    "scrapy_mainpage/extraction/_trimmedtext",
    "scrapy_mainpage/extraction/_trimming",
    "scrapy_mainpage/extraction/_freeing",
    "scrapy_mainpage/extraction/_lines",
    "scrapy_mainpage/extraction/_markup",
    "scrapy_mainpage/extraction/_names",
    "scrapy_mainpage/extraction/_prescan",
    "scrapy_mainpage/extraction/_ratios",
    "scrapy_mainpage/extraction/_quickforest",
    "scrapy_mainpage/extraction/_roles",
    "scrapy_mainpage/extraction/_structure",
    "scrapy_mainpage/extraction/_trees",
    "scrapy_mainpage/extraction/_zones",
    "scrapy_mainpage/extraction/algorithms/_choice",
    "scrapy_mainpage/extraction/structured/_pruned",
    "scrapy_mainpage/extraction/structured/_scripts",
    "scrapy_mainpage/extraction/structured/_sequences",
    "scrapy_mainpage/extraction/structured/_tags",
    "scrapy_mainpage/extraction/features/_view",
    "scrapy_mainpage/extraction/features/_blocks",
    "scrapy_mainpage/extraction/features/_markup",
    "scrapy_mainpage/extraction/features/_neighbours",
    "scrapy_mainpage/extraction/features/_containers",
    "scrapy_mainpage/extraction/features/_places",
    "scrapy_mainpage/extraction/features/_systems",
    "scrapy_mainpage/extraction/features/_declared",
    "scrapy_mainpage/extraction/features/_records",
    "scrapy_mainpage/extraction/features/_features",
    "scrapy_mainpage/extraction/writers/_text",
    "scrapy_mainpage/extraction/writers/_maintree",
    "scrapy_mainpage/extraction/writers/_events",
    "scrapy_mainpage/extraction/writers/_html",
    "scrapy_mainpage/extraction/writers/_marks",
    "scrapy_mainpage/extraction/writers/_paragraph",
    "scrapy_mainpage/extraction/writers/_markdown",
)


def extension(path: str) -> Extension:
    return Extension(
        path.replace("/", "."),
        sources=[f"{path}.pyx"],
        include_dirs=lxml.get_include(),
        # MSVC's own default is its best.
        extra_compile_args=[] if sys.platform == "win32" else ["-O3"],
    )


setup(
    options={"build_ext": {"parallel": os.cpu_count()}},
    ext_modules=cythonize(
        [extension(path) for path in MODULES if Path(f"{path}.pyx").exists()],
        language_level=3,
        compiler_directives={
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
        },
    ),
)
