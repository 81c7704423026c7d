"""Hypothesis strategies for text: mixed scripts, joiners, symbols, marks, ignorable and rare code points."""

import unicodedata

from hypothesis import strategies as st

ASCII_LETTERS = "abcdeksxABCDEKSX"
WORDS = [
    *(
        "rate",
        "limits",
        "getHTTPResponse",
        "URLs",
        "APIs",
        "IDs",
        "C++",
        "C#",
        ".NET",
        "@scope/pkg",
        "e.g",
        "i.e.",
        "the",
    ),
    *(
        "__init__.py",
        "max_retry_count",
        "max-retry-count",
        "std::vector",
        "and/or",
        "v1.2.3",
        "ERR-7741X",
        "$HOME",
        "don't",
    ),
    *(
        "Straße",
        "İstanbul",
        "ǅungla",
        "ﬁne",
        "Ὀδυσσεύς",
        "Ёлка",
        "йод",
        "caf\u0065\u0301",
        "naïve",
        "O\u2019Neil",
        "GPUs",
    ),
    *(
        "延遲重試",
        "カタカナ",
        "ｶﾞｷﾞ",
        "ひらがな",
        "한국어",
        "\u1112\u1161\u11ab",
        "ภาษาไทย",
        "ພາສາ",
        "ខ្មែរ",
        "မြန်မာ",
        "ㄅㄆㄇ",
    ),
    *(
        "हिन्दी",
        "العربية",
        "עברית",
        "தமிழ்",
        "ქართული",
        "አማርኛ",
        "①②",
        "Ⅳ",
        "½",
        "²",
        "〇",
        "々",
        "ー",
        "👍🏽",
        "1️⃣",
        "\u20dd",
    ),
]
SYMBOLS = "_-.:/#@&+$'\u2019\u02bc\u2010\u2011\u2212()!,;=<>\"\\|~*%^`{}[]?"
MARKS = "\u0301\u0308\u0323\u0345\u0327\u093c\u0e31\u0e34\u3099\u05b0\u0651\u064b\u20dd\u20e3\u0489\u0903"
IGNORABLE = "\u00ad\u200c\u200d\ufe0f\u2060\ufeff\u034f\u115f\u3164\U000e0101"
SPACES = " \t\n\u00a0\u2003\u3000\u200b\u2028\u0085"
JAMO = "\u1100\u1161\u1175\u11a7\u11a8\u11c2\uac00\uac01"
RARE = "ßẞŉǆǅﬃſK\u212bΩ\u1e9e\u0130\u0131\u0149\u1f80\u1fbc\u0390ŭĿ\u00b7ºª\u02b0\u02b9\u02bb\u1d2c\ua7f8\u0345\u0374"
_RARE_GRAMS = "々〆〇〡㋿㍻㏍゛゜ゝヽ\uff9e\uff70\U0001b001\ufe45\u309f\u30ff\u3031豈更"


def is_assigned(char: str) -> bool:
    return unicodedata.category(char) not in ("Cn", "Cs")


ANY_ASSIGNED = st.characters(exclude_categories=("Cs", "Cn"))
CHARS = st.one_of(
    st.sampled_from(ASCII_LETTERS + "0159"),
    st.sampled_from(SYMBOLS),
    st.sampled_from(MARKS),
    st.sampled_from(IGNORABLE + SPACES),
    st.sampled_from(JAMO + RARE + _RARE_GRAMS),
    ANY_ASSIGNED,
)
NOISE = st.lists(CHARS, max_size=14).map("".join)
MIXED = st.lists(st.sampled_from(WORDS) | NOISE | st.sampled_from(list(SYMBOLS + SPACES)), max_size=8).map("".join)
# Identifier soup in few characters reaches every rule of compounds often.
SOUP = st.text(alphabet="aAsS1_-.:#@&/+$' é", max_size=14)
TEXTS = st.one_of(MIXED, NOISE, SOUP)
