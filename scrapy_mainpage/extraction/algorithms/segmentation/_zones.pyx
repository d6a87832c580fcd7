"""Compiled loops of the published algorithms: zones, columns, sums over ancestors.

Zone trees and column trees (Rae et al. 2018, sections 3.1 and 3.2) are built in one pass
over a document's elements; :mod:`.zones` names their parts.
"""

import numpy as np

from libc.math cimport fabs
from libc.stdint cimport int32_t, uint8_t

cdef enum:
    # Edges from a text to the last element that it counts for: more, on deep pages
    # alone, cost much and weigh little.
    FARTHEST = 256

ctypedef const int32_t[::1] Ints
ctypedef const uint8_t[::1] Flags


cdef class _Zones:
    """The zones found so far. A box is left, top, right, bottom."""

    cdef public object parents, elements, boxes
    cdef int32_t[::1] parent, element
    cdef double[:, ::1] box
    cdef public int count

    def __init__(self, int room):
        self.parents = np.empty(room, np.int32)
        self.elements = np.empty(room, np.int32)
        self.boxes = np.empty((room, 4), np.float64)
        self.parent, self.element, self.box = self.parents, self.elements, self.boxes

    cdef int add(self, int parent, int element, const float* box) noexcept:
        cdef int k, zone = self.count
        self.parent[zone] = parent
        self.element[zone] = element
        for k in range(4):
            self.box[zone, k] = box[k]
        self.count += 1
        return zone

    cdef void extend(self, int zone, const float* box) noexcept:
        self.box[zone, 0] = min(self.box[zone, 0], box[0])
        self.box[zone, 1] = min(self.box[zone, 1], box[1])
        self.box[zone, 2] = max(self.box[zone, 2], box[2])
        self.box[zone, 3] = max(self.box[zone, 3], box[3])


def build_zones(
    int body,
    int end,
    Ints parent,
    Ints first_run,
    Flags breaks,
    Flags significant,
    Flags is_block,
    Flags is_line_break,
    const float[:, ::1] box,
    const float[:, ::1] run_box,
    Ints run_element,
    Flags run_is_text,
):
    """The zones of the elements from *body* to *end*, parents before their children.

    *box* and *run_box* are the edges of elements and runs: left, top, right, bottom.
    Returns each zone's parent (-1 for the first, the body's), first element and box,
    and each run's zone (-1 outside of all).
    """
    cdef int n_runs = run_element.shape[0], run = first_run[body], element, owner, zone
    cdef _Zones zones = _Zones(end - body + n_runs + 1)
    zone_of_element = np.full(parent.shape[0], -1, np.int32)
    inline_zone_of_element = np.full(parent.shape[0], -1, np.int32)
    zone_of_run = np.full(n_runs, -1, np.int32)
    cdef int32_t[::1] zone_of = zone_of_element
    cdef int32_t[::1] inline_zone = inline_zone_of_element
    cdef int32_t[::1] run_zone = zone_of_run
    zone_of[body] = zones.add(-1, body, &box[body, 0])
    element = body + 1
    while element < end or run < n_runs:
        if run < n_runs and (element >= end or run < first_run[element]):
            owner = run_element[run]
            if run_is_text[run] and zone_of[owner] >= 0:
                zone = zone_of[owner]
                if breaks[owner]:
                    zone = _join(
                        zones, inline_zone, zone_of, owner, owner, &run_box[run, 0]
                    )
                run_zone[run] = zone
            elif owner >= end:
                break
            run += 1
            continue
        owner = parent[element]
        if not breaks[owner] or zone_of[owner] < 0:
            # Inside of a leaf zone, or hidden.
            zone_of[element] = zone_of[owner] if significant[element] else -1
        elif is_line_break[element]:
            inline_zone[owner] = -1
        elif not significant[element]:
            zone_of[element] = -1
        elif is_block[element] or breaks[element]:
            zone_of[element] = zones.add(zone_of[owner], element, &box[element, 0])
            inline_zone[owner] = -1
        else:
            zone_of[element] = _join(
                zones, inline_zone, zone_of, owner, element, &box[element, 0]
            )
        element += 1
    n = zones.count
    return zones.parents[:n], zones.elements[:n], zones.boxes[:n], zone_of_run


cdef int _join(
    _Zones zones, int32_t[::1] inline_zone, int32_t[::1] zone_of, int owner, int element,
    const float* box,
) noexcept:
    """Merge *element* into the open inline zone of *owner*, or open one."""
    if inline_zone[owner] < 0:
        inline_zone[owner] = zones.add(zone_of[owner], element, box)
    else:
        zones.extend(inline_zone[owner], box)
    return inline_zone[owner]


def build_columns(Ints parent, const double[:, ::1] box, double tolerance):
    """Merge zones into columns; parents come before their children.

    Returns each zone's column, and each column's parent and box.
    """
    cdef int n = parent.shape[0], zone, column, count = 0, outer
    zone_columns = np.empty(n, np.int32)
    column_parents = np.empty(n, np.int32)
    column_boxes = np.empty((n, 4), np.float64)
    cdef int32_t[::1] column_of = zone_columns
    cdef int32_t[::1] column_parent = column_parents
    cdef double[:, ::1] bounds = column_boxes
    cdef int32_t[::1] current = np.full(n, -1, np.int32)  # by parent zone
    cdef double[::1] left = np.zeros(n), right = np.zeros(n)  # means
    cdef int32_t[::1] size = np.zeros(n, np.int32)
    for zone in range(n):
        outer = parent[zone]
        column = current[outer] if outer >= 0 else -1
        if column < 0 or not _aligned(
            box[zone, 0], box[zone, 2], left[column], right[column], tolerance
        ):
            column = count
            count += 1
            column_parent[column] = column_of[outer] if outer >= 0 else -1
            bounds[column, :] = box[zone, :]
            if outer >= 0:
                current[outer] = column
        size[column] += 1
        left[column] += (box[zone, 0] - left[column]) / size[column]
        right[column] += (box[zone, 2] - right[column]) / size[column]
        bounds[column, 0] = min(bounds[column, 0], box[zone, 0])
        bounds[column, 1] = min(bounds[column, 1], box[zone, 1])
        bounds[column, 2] = max(bounds[column, 2], box[zone, 2])
        bounds[column, 3] = max(bounds[column, 3], box[zone, 3])
        column_of[zone] = column
    return zone_columns, column_parents[:count], column_boxes[:count]


cdef inline bint _aligned(
    double left, double right, double mean_left, double mean_right, double tolerance
) noexcept:
    cdef double slack = tolerance * (mean_right - mean_left)
    return fabs(left - mean_left) <= slack and fabs(right - mean_right) <= slack


def collapse_columns(Ints parent, const double[:, ::1] box, double tolerance):
    """Collapse the columns that equal their parent.

    Returns the mask of the other columns, and each column's nearest ancestor among
    them (-1 for the first column, which always stays).
    """
    cdef int n = parent.shape[0], column, outer
    stays_array = np.ones(n, np.uint8)
    outer_array = np.full(n, -1, np.int32)
    cdef uint8_t[::1] stays = stays_array
    cdef int32_t[::1] nearest = outer_array
    for column in range(1, n):
        outer = parent[column]
        stays[column] = not _aligned(
            box[column, 0], box[column, 2], box[outer, 0], box[outer, 2], tolerance
        )
        nearest[column] = outer if stays[outer] else nearest[outer]
    return stays_array.view(bool), outer_array


def add_up(Ints parent, double[::1] values):
    """Add every value to those of its ancestors; parents come before their children."""
    cdef int i
    for i in range(parent.shape[0] - 1, 0, -1):
        values[parent[i]] += values[i]


def spread_words(Ints parent, Ints element, Ints words):
    """Give every ancestor the words of each text, divided by the distance to it.

    *element* and *words* belong to texts (a text's distance to its own element is 1).
    Returns a value per element.
    """
    result = np.zeros(parent.shape[0])
    cdef double[::1] total = result
    cdef int k, node, distance
    for k in range(element.shape[0]):
        node = element[k]
        distance = 1
        while node >= 0 and distance <= FARTHEST:
            total[node] += words[k] / <double>distance
            node = parent[node]
            distance += 1
    return result
