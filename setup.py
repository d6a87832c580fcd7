"""Build the compiled modules against the headers of lxml's wheels.

Everything else stands in pyproject.toml.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import lxml
from Cython.Build import cythonize
from setuptools import Extension, setup

# Largest first: several modules are built at once, and these take longest.
SOURCES = sorted(
    (path.as_posix() for path in Path("scrapy_mainpage").rglob("*.pyx")),
    key=lambda path: (
        -sum(file.stat().st_size for file in Path(path).parent.glob("*.p[yx][xi]"))
    ),
)


def extension(source: str) -> Extension:
    return Extension(
        source.removesuffix(".pyx").replace("/", "."),
        sources=[source],
        include_dirs=lxml.get_include(),
        # MSVC's own default is its best. Debug information is most of a module's size.
        extra_compile_args=[] if sys.platform == "win32" else ["-O3", "-g0"],
    )


setup(
    options={"build_ext": {"parallel": os.cpu_count()}},
    ext_modules=cythonize(
        [extension(source) for source in SOURCES],
        language_level=3,
        nthreads=os.cpu_count() or 1,
        compiler_directives={
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
        },
    ),
)
