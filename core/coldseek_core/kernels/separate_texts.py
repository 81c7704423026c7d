# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Texts of a column, one after the other, to lines that can be tokenised as one text."""

import numpy as np

_NEWLINE = ord("\n")


def separate_texts(data, data_length, offsets, text_count, lines, capacity, ends, counts):
    """Append to `lines` (u8[capacity]) each text i, UTF-8, `data[offsets[i]:offsets[i + 1]]` (u8[data_length],
    i64[text_count + 1]), and a newline. `counts` (i64[2]) has how many bytes and code points `lines` holds, and `ends`
    (i64[text_count]) gets how many code points it holds after each.

    Returns how many texts were appended: fewer than there are if the next one has no room. A text whose place is out
    of range is empty. Naive twin: `separate_texts` in tests/kernels/naive_count.py.
    """
    place, points = counts[0], counts[1]
    for text in range(text_count):
        start, stop = offsets[text], offsets[text + 1]
        if not 0 <= start <= stop <= data_length:
            start = stop = np.int64(0)
        if place < 0 or stop - start >= capacity - place:
            return np.int64(text)
        continued = np.int64(0)
        for order in range(stop - start):
            byte = data[start + order]
            lines[place + order] = byte
            continued += byte & 0xC0 == 0x80
        place += stop - start
        lines[place] = _NEWLINE
        place += 1
        points += stop - start - continued + 1
        ends[text] = points
        counts[0], counts[1] = place, points
    return np.int64(text_count)
