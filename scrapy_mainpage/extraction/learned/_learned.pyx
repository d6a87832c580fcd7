"""Decision trees for many rows at once, and the choice of blocks by their scores."""

from math import frexp, ldexp
from os import urandom

import numpy as np

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from libc.math cimport exp, log, rint
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ...text._hashing cimport mixed
from ..document._schema cimport Column, HEADING_SHIFT, HIDDEN, PRE, Tables, find_columns, read_tables

include "leaf_sums.pxi"
include "forest.pxi"
include "selection.pxi"
