"""The analyser twin on plain words, scripts and normalisation, against cases worked by hand."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baseline.analyser_twin import TwinAnalyser
from baseline.normaliser import normalise
from baseline.tokens import Token, as_tokens, kind_name
from baseline.unicode_facts import is_ignorable

STOPS = frozenset({"how", "do", "i", "the", "a", "to", "who", "does", "with", "use"})
ENGLISH = TwinAnalyser("en", STOPS)
UNSTEMMED = TwinAnalyser("zh")


def terms(text: str, analyser: TwinAnalyser = ENGLISH) -> list[str]:
    return [token.term for token in analyser.analyse(text)]


def kept(text: str) -> list[str]:
    return [token.term for token in ENGLISH.analyse(text) if not token.stop]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How do I configure the Rate Limits?", ["configur", "rate", "limit"]),
        ("Café résumé", ["cafe", "resume"]),
        ("class status analysis caches", ["class", "status", "analysi", "cach"]),
        ("don't", ["dont"]),
        ("don’t rock''n", ["dont", "rock", "n"]),
        ("1'000", ["1000"]),
        ("kubernetes", ["kubernet"]),
        ("redis", ["redi"]),
        ("", []),
        (" \t\u3000\u200b\n", []),
        ("!!!", []),
        ("🧊", []),
        ("🧭compass", ["compass"]),
        ("- \" ' ( { } _ # . : :: ++", []),
        ("a:b (c", ["a:b", "b", "c"]),
        ('12" pipe', ["12", "pipe"]),
        ("ﬁle ℡ ①", ["file", "tel", "1"]),
        ("３Ｄ", ["3d"]),
        ("Straße ẞ", ["strass", "ss"]),
        ("ΣΊΣΥΦΟΣ σίσυφος", ["σισυφοσ", "σισυφοσ"]),
        ("so\u00adft wo\u200drd \ufeffbom", ["soft", "word", "bom"]),
        ("naïve2", ["naive2"]),
        ("й ё", ["и", "е"]),
        ("abcдеж", ["abc", "деж"]),
        ("x\u0378y", ["x", "y"]),
        ("\u0301abc", ["abc"]),
    ],
)
def test_plain_words(text: str, expected: list[str]) -> None:
    assert kept(text) == expected


def test_stop_words_are_judged_before_stemming() -> None:
    uses, use, does, the, who = ENGLISH.analyse("uses use does the who")
    assert (uses.term, uses.stop) == ("use", False)
    assert (use.term, use.stop) == ("use", True)
    assert (does.term, does.stop) == ("doe", True)
    assert the.stop
    assert who.stop


def test_language_none_has_no_stems_and_no_stop_words() -> None:
    tokens = TwinAnalyser("none", STOPS).analyse("the Caches")
    assert [(token.term, token.stop) for token in tokens] == [("the", False), ("caches", False)]


def test_apostrophe_breaks_in_french_italian_catalan() -> None:
    assert terms("l'homme d’eau", TwinAnalyser("fr")) == ["l", "homm", "d", "eau"]
    assert terms("l'home", TwinAnalyser("ca-ES"))[0] == "l"
    assert terms("l'home", UNSTEMMED) == ["lhome"]


def test_marks_are_kept_outside_latin_greek_cyrillic() -> None:
    assert terms("हिन्दी", TwinAnalyser("none")) == ["हिन्दी"]
    assert terms("עִברִית", TwinAnalyser("none")) == ["עִברִית"]


def test_enclosing_marks_separate() -> None:
    assert terms("3\u20e3 a\u20ddb c\u20dd\u0301d") == ["3", "a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # U+02BB and U+02B9 are letters of no script.
        ("oʻzbek дʹя", ["oʻzbek", "дʹя"]),
        ("ʻokina ʻдом", ["ʻokina", "ʻдом"]),
        ("ʻaд", ["ʻa", "д"]),
        ("aʻд 1ʻ", ["aʻ", "д", "1ʻ"]),
        ("食ʻa", ["食", "ʻa"]),
        # A hentaigana and the vertical repeat mark are kana, the vertical iteration mark is Han.
        ("\U0001b002か", ["\U0001b002", "\U0001b002か", "か"]),
        ("か\u3031", ["か", "か\u3031", "\u3031"]),
        ("人\u303bか", ["人", "人\u303b", "\u303b", "か"]),
    ],
)
def test_letters_without_a_script_and_rare_names(text: str, expected: list[str]) -> None:
    assert terms(text, UNSTEMMED) == expected


@pytest.mark.parametrize("tag", ["nb", "nn", "nb-NO", "nn_NO"])
def test_both_written_forms_of_norwegian_are_stemmed(tag: str) -> None:
    text = "husene bestemmelsen muligheter"
    assert terms(text, TwinAnalyser(tag)) == terms(text, TwinAnalyser("no"))
    assert terms(text, TwinAnalyser(tag)) != text.split()


def test_a_gram_is_a_stop_word_by_itself_or_by_a_pair_that_covers_it() -> None:
    analyser = TwinAnalyser("zh", frozenset({"我们", "的"}))
    tokens = analyser.analyse("他我们好的呢")
    assert [token.term for token in tokens if token.stop] == ["我", "我们", "们", "的"]
    assert [token.term for token in analyser.analyse("们我") if token.stop] == []


def test_a_stretch_has_at_most_32_code_points() -> None:
    # An acute joins its letter across marks below, but not across the end of a stretch.
    below = "\u0316"
    assert normalise("a" + below * 30 + "\u0301")[0].text == "á"
    assert normalise("a" + below * 31 + "\u0301")[0].text == "a"
    assert normalise("a" + "\u00ad" * 9 + below * 30 + "\u0301")[0].text == "á"
    chars = normalise("a" + below * 40 + "b", 5)
    assert [(char.start, char.end) for char in chars] == [(5, 37)] * 32 + [(37, 46)] * 9 + [(46, 47)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ẞ", [("s", "Lu"), ("s", "Lu")]),
        ("ǅ", [("d", "Lu"), ("ž", "Ll")]),
        ("ᾼ", [("α", "Lt"), ("ι", "Lt")]),
        ("x\u0345", [("x", "Ll"), ("ι", "Mn")]),
        # Composed only after folding: there is no capital of it.
        ("J\u030c", [("ǰ", "Lu")]),
        ("ΐ", [("ΐ", "Ll")]),
        ("İ", [("i", "Lu"), ("\u0307", "Lu")]),
    ],
)
def test_case_is_that_before_folding(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(char.text, char.category) for char in normalise(text)] == expected


def test_case_before_folding_makes_the_humps() -> None:
    assert terms("fooJ\u030cet", UNSTEMMED) == ["foojet", "foo", "jet"]
    assert terms("aẞ", UNSTEMMED) == ["ass", "a", "ss"]


def test_grams_of_a_run_in_order() -> None:
    tokens = UNSTEMMED.analyse("x 重试策!")
    assert tokens[1:] == [
        Token("重", 2, 3, "GRAM", False, 1),
        Token("重试", 2, 4, "BIGRAM", False, 1),
        Token("试", 3, 4, "GRAM", False, 1),
        Token("试策", 3, 5, "BIGRAM", False, 1),
        Token("策", 4, 5, "GRAM", False, 1),
    ]


def test_document_and_query_of_han_share_their_grams() -> None:
    document = set(terms("延迟重试策略说明"))
    for query in ("重试", "策略", "试"):
        assert set(terms(query)) <= document


def test_a_change_of_script_ends_a_run() -> None:
    tokens = UNSTEMMED.analyse("食べるAPI第3章ｶﾞ〇")
    assert [(token.term, token.word) for token in tokens] == [
        ("食", 0),
        ("べ", 1),
        ("べる", 1),
        ("る", 1),
        ("api", 2),
        ("第", 3),
        ("3", 4),
        ("章", 5),
        ("ガ", 6),
        ("〇", 7),
    ]
    assert (tokens[8].start, tokens[8].end) == (9, 11)


def test_thai_units_hold_their_marks() -> None:
    # Sara am is a mark and a letter after normalisation; both have the stretch they came from.
    tokens = UNSTEMMED.analyse("กำ")
    assert [(token.term, token.start, token.end) for token in tokens] == [
        ("ก\u0e4d", 0, 2),
        ("ก\u0e4d\u0e32", 0, 2),
        ("\u0e32", 1, 2),
    ]


def test_hangul_jamo_are_composed() -> None:
    assert terms("한글") == ["한", "한글", "글"]
    assert terms("\u1112\u1161\u11ab") == ["한"]


def test_offsets_are_source_code_points() -> None:
    text = "😀 so\u00adft Cafe\u0301s!"
    tokens = ENGLISH.analyse(text)
    assert [text[token.start : token.end] for token in tokens] == ["so\u00adft", "Cafe\u0301s"]
    assert [token.term for token in tokens] == ["soft", "cafe"]


def test_long_terms_are_cut() -> None:
    token = TwinAnalyser("none").analyse("x" * 1000)[0]
    assert (token.term, token.start, token.end) == ("x" * 64, 0, 1000)


def test_tokens_are_taken_as_tuples_or_objects() -> None:
    class Kind:
        name = "loose_name"

    class Other:
        term, start, end, kind, stop, word = "a", 0, 1, Kind, 0, 3

    assert as_tokens([("a", 0, 1, 3, False, 3), Other()]) == [Token("a", 0, 1, "LOOSE_NAME", False, 3)] * 2
    with pytest.raises(ValueError, match="token kind"):
        kind_name("STEM")


@given(st.text() | st.text(st.sampled_from("aJΙẞ\u0301\u0308\u030c\u0316\u0345\u1112\u1161\u11abǅᾼকা"), max_size=12))
def test_stretches_normalise_as_the_whole_does(text: str) -> None:
    # Hyphens are mapped to one after normalisation, so they are left out of the comparison.
    text = "".join(char for char in text if not is_ignorable(char) and char not in "\u2010\u2011\u2212")
    whole = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    chars = normalise(text)
    if not set(whole) & set("\u2010\u2011\u2212"):
        assert "".join(char.text for char in chars) == whole
    starts = [char.start for char in chars]
    assert starts == sorted(starts)
    assert all(0 <= char.start < char.end <= len(text) for char in chars)


@given(st.text(st.sampled_from("aBcs1_-.:/#@&$+'’ é\u0301你べ한ДZ\u00ad,")))
def test_any_text_gives_sound_tokens(text: str) -> None:
    tokens = ENGLISH.analyse(text)
    words = [token.word for token in tokens]
    assert words == sorted(words)
    assert set(words) == set(range(len(set(words))))
    for token in tokens:
        assert 0 <= token.start < token.end <= len(text)
        assert 1 <= len(token.term) <= 64
        assert not any(char.isspace() for char in text[token.start : token.end])
