"""Bytes of an HTML page to text: by byte order mark, else as the page declares, else as UTF-8."""

import re

from coldseek_core.errors import SourceError
from coldseek_core.ingest.decoding import BYTE_ORDER_MARKS, decode

_LOOKED_AT = 4096
_DECLARED = re.compile(
    rb"""<meta\s[^<>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]{1,40})|<\?xml\s[^<>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})""",
    re.IGNORECASE,
)
# Labels to Python's codecs, as browsers take them: Latin-1 means Windows-1252, GB 2312 means its superset.
_CODECS = {
    **dict.fromkeys(("ascii", "us-ascii", "iso-8859-1", "iso8859-1", "latin1", "latin-1", "l1", "x-cp1252"), "cp1252"),
    **{f"windows-{page}": f"cp{page}" for page in (874, *range(1250, 1259))},
    **{f"cp{page}": f"cp{page}" for page in (866, *range(1250, 1259))},
    **{f"iso-8859-{part}": f"iso8859-{part}" for part in (*range(2, 9), 10, 11, 13, 14, 15, 16)},
    **dict.fromkeys(("iso-8859-9", "latin5"), "cp1254"),
    **dict.fromkeys(("gb2312", "gbk", "x-gbk", "gb18030", "gb_2312-80"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "ms_kanji"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "ksc5601", "windows-949"), "cp949"),
    **dict.fromkeys(("big5", "big5-hkscs", "x-x-big5"), "big5hkscs"),
    "euc-jp": "euc_jp",
    "iso-2022-jp": "iso2022_jp",
    "koi8-r": "koi8_r",
    "koi8-u": "koi8_u",
    "ibm866": "cp866",
    "macintosh": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
}


def decode_html(data: bytes) -> str:
    """The text of a page, with every line ending as `\\n`.

    A declared encoding that is unknown, or that the bytes are not in, counts for nothing. Raises SourceError for
    what is no text, naming the declared encoding if there is one.
    """
    declared = "" if data.startswith(BYTE_ORDER_MARKS) else _declared(data[:_LOOKED_AT])
    codec = _CODECS.get(declared)
    if codec is not None:
        try:
            return decode(data.decode(codec).encode("utf-8"))
        except UnicodeDecodeError:
            pass
    try:
        return decode(data)
    except SourceError as error:
        if declared and declared not in {"utf-8", "utf8"}:
            raise SourceError(f"declared as {declared!r}, which it is not or which is unknown, and {error}") from None
        raise


def _declared(head: bytes) -> str:
    found = _DECLARED.search(head)
    return (found[1] or found[2]).decode("ascii", "replace").lower() if found else ""
