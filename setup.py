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

# Cython's code for arrays, once for all modules; Cython writes its source.
SHARED = "scrapy_mainpage/_cython.c"
# Largest first: several modules are built at once, and these take longest.
SOURCES = sorted(
    Path("scrapy_mainpage").rglob("*.pyx"),
    key=lambda path: path.stat().st_size,
    reverse=True,
)

# MSVC's own default is its best. Debug information is most of a module's size; without
# symbols, functions that nothing calls and stubs of calls, it is a quarter smaller.
LINUX = sys.platform == "linux"
COMPILE = [] if sys.platform == "win32" else ["-O3", "-g0", "-fvisibility=hidden"]
COMPILE += ["-ffunction-sections", "-fno-asynchronous-unwind-tables"] if LINUX else []
COMPILE += ["-fno-plt", "-fno-semantic-interposition"] if LINUX else []
LINK = ["-Wl,-s", "-Wl,--gc-sections"] if LINUX else []

#: For size instead: what few pages need, or pages need few times (a third smaller).
RARE = (SHARED, "scrapy_mainpage/extraction/document/_formula")
RARE += ("scrapy_mainpage/extraction/algorithms/segmentation/",)
SMALL = [] if sys.platform == "win32" else ["-Os"]


def extension(source: str) -> Extension:
    return Extension(
        os.path.splitext(source)[0].replace("/", "."),
        sources=[source],
        include_dirs=[".", *lxml.get_include()],
        extra_compile_args=COMPILE + (SMALL if source.startswith(RARE) else []),
        extra_link_args=LINK,
    )


setup(
    options={"build_ext": {"parallel": os.cpu_count()}},
    ext_modules=cythonize(
        [extension(source) for source in (SHARED, *(p.as_posix() for p in SOURCES))],
        language_level=3,
        nthreads=os.cpu_count() or 1,
        shared_utility_qualified_name="scrapy_mainpage._cython",
        compiler_directives={
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            # Half the size of a small module: nothing compiled is pickled or bound.
            "auto_pickle": False,
            "binding": False,
        },
    ),
)
