# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""The best of a stream by score descending, then row ascending: a bounded heap with the worst at its root.

The heap lives in two arrays of the caller: rows (i64) and scores (i64 or f64), both of length `size` at least.
"""

from .options import helper


@helper
def is_worse(score, row, other_score, other_row):
    """Whether (score, row) comes after (other_score, other_row) in the order of results."""
    return score < other_score or (score == other_score and row > other_row)


@helper
def sift_down(rows, scores, place, size):
    """Restore the heap below `place`: each parent is worse than its children."""
    row = rows[place]
    score = scores[place]
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and is_worse(scores[child + 1], rows[child + 1], scores[child], rows[child]):
            child += 1
        if not is_worse(scores[child], rows[child], score, row):
            break
        rows[place] = rows[child]
        scores[place] = scores[child]
        place = child
    rows[place] = row
    scores[place] = score


@helper
def offer(rows, scores, count, size, score, row):
    """Put (score, row) among the best `size`; returns how many there are now."""
    if count < size:
        place = count
        while place > 0:
            parent = (place - 1) >> 1
            if not is_worse(score, row, scores[parent], rows[parent]):
                break
            rows[place] = rows[parent]
            scores[place] = scores[parent]
            place = parent
        rows[place] = row
        scores[place] = score
        return count + 1
    if is_worse(scores[0], rows[0], score, row):
        rows[0] = row
        scores[0] = score
        sift_down(rows, scores, 0, size)
    return count


@helper
def sort_best_first(rows, scores, count):
    """Turn the heap into a list, best first."""
    for last in range(count - 1, 0, -1):
        row = rows[0]
        score = scores[0]
        rows[0] = rows[last]
        scores[0] = scores[last]
        sift_down(rows, scores, 0, last)
        rows[last] = row
        scores[last] = score
