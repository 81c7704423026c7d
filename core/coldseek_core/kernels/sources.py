# pyright: basic, reportMissingTypeStubs=false
# Numba comes without types.
"""Every kernel's Python function, and its signature in Numba's types: what the JIT and sealing compile."""

from typing import Any

from numba import types

from . import (
    count_terms,
    enter_terms,
    enter_texts,
    fnv1a,
    front_code,
    join_fields,
    pack_postings,
    place_postings,
    postings_top,
    quantise,
    row_filter,
    scan,
    scan_many,
    score_rows,
    separate_texts,
    stop_words,
    tokenise,
    weigh_terms,
)
from .signatures import SIGNATURES

SOURCES: dict[str, Any] = {
    "digest": fnv1a.digest,
    "fill_slots": stop_words.fill_slots,
    "front_code": front_code.front_code,
    "postings_top": postings_top.postings_top,
    "score_rows": score_rows.score_rows,
    "mark_rows": row_filter.mark_rows,
    "scan_top": scan.scan_top,
    "scan_many_top": scan_many.scan_many_top,
    "similarity_rows": scan.similarity_rows,
    "widen_floats": quantise.widen_floats,
    "quantise_query": quantise.quantise_query,
    "quantise_rows": quantise.quantise_rows,
    "tokenise": tokenise.tokenise,
    "enter_terms": enter_terms.enter_terms,
    "enter_texts": enter_texts.enter_texts,
    "separate_texts": separate_texts.separate_texts,
    "count_terms": count_terms.count_terms,
    "join_fields": join_fields.join_fields,
    "place_postings": place_postings.place_postings,
    "pack_postings": pack_postings.pack_postings,
    "weigh_terms": weigh_terms.weigh_terms,
}

_NUMBA_TYPES = {
    "i8": types.int8,
    "u8": types.uint8,
    "i16": types.int16,
    "u16": types.uint16,
    "u32": types.uint32,
    "i64": types.int64,
    "u64": types.uint64,
    "f32": types.float32,
    "f64": types.float64,
}


def numba_signature(name: str) -> Any:
    """The signature of one kernel, from its C signature."""
    result, arguments = SIGNATURES[name]
    return _numba_type(result)(*[_numba_type(argument) for argument in arguments])


def _numba_type(name: str) -> Any:
    base = _NUMBA_TYPES[name.rstrip("*")]
    return types.CPointer(base) if name.endswith("*") else base
