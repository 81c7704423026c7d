"""Every rule of the analyser on inputs worked by hand."""

import pytest

from coldseek_core.errors import UsageError
from coldseek_core.text import Analyser
from text.analysed import analyser, count, kept, shown, stops, terms, tokens


def spans(text: str, language: str = "en") -> list[tuple[str, str]]:
    """Terms and the source that they stand for."""
    return [(token.term, text[token.start : token.end]) for token in tokens(text, language)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Joiners, weak and strong.
        ("std::vector", "N:std::vector P:std P:vector"),
        ("a:::b", "W:a W:b"),
        ("foo--bar", "W:foo W:bar"),
        ("foo__bar", "N:foobar P:foo P:bar"),
        ("_foo_ -bar-", "W:foo W:bar"),
        ("foo.(bar)", "W:foo W:bar"),
        ("max\u2011retry\u2010count", "L:maxretrycount P:max P:retri P:count"),
        ("max\u2212count", "L:maxcount P:max P:count"),
        ("process.env.NODE_ENV", "N:process.env.nodeenv P:process P:env N:nodeenv P:node P:env"),
        ("user@example.com", "N:user@example.com P:user P:exampl P:com"),
        ("v1.2.3", "N:v1.2.3 P:v1 P:2 P:3"),
        ("ERR-7741X", "N:err7741x P:err P:7741x"),
        ("AT&T", "L:at&t P:at P:t"),
        ("and/or", "L:and/or P:and P:or"),
        ("up-to/date", "L:upto/date L:upto P:up P:to P:date"),
        ("foo试bar", "W:foo G:试 W:bar"),
        ("foo-试", "W:foo G:试"),
        ("fooбар", "W:foo W:бар"),
        # Underscores around a strong joiner are part of it.
        ("__init__.py", "N:init.py P:init P:py"),
        ("foo_#bar", "N:foo#bar P:foo P:bar"),
        ("foo_._bar", "N:foo.bar P:foo P:bar"),
        ("foo_-bar", "W:foo W:bar"),
        # Prefixes.
        (".NET", "N:.net P:net"),
        ("asp.net", "N:asp.net P:asp P:net"),
        ("@scope/pkgName", "N:@scope/pkgname N:scope/pkgname P:scope N:pkgname P:pkg P:name"),
        ("$HOME #42 .5", "N:$home P:home N:#42 P:42 W:5"),
        ("..foo ##bar", "W:foo W:bar"),
        ("(@foo", "N:@foo P:foo"),
        ("é@_foo", "N:e@foo P:e P:foo"),
        ("@_foo", "N:@foo P:foo"),
        ("试@foo", "G:试 W:foo"),
        # Suffixes.
        ("C++", "W:c++"),
        ("C++17", "W:c++ W:17"),
        ("C#12", "W:c# W:12"),
        ("C#.NET", "W:c# N:.net P:net"),
        ("F#,", "W:f#"),
        ("libstdc++", "N:libstdc++ P:libstdc"),
        ("foo# foo#bar", "N:foo# P:foo N:foo#bar P:foo P:bar"),
        ("docs/a#anchor", "N:docs/a#anchor P:doc P:a P:anchor"),
        ("docs/c#", "N:docs/c# P:doc P:c#"),
        ("getURLsFromAPIs", "N:geturlsfromapis A:geturlsfromapi P:get P:url P:from P:api"),
        ("IPv6Address", "N:ipv6address P:ipv6 P:address"),
        ("OAuth2Client", "N:oauth2client P:oauth2 P:client"),
        ("userGPUs", "N:usergpus P:user P:gpu"),
        ("OAuth", "W:oauth"),
        ("IOError", "N:ioerror P:io P:error"),
        ("Objective-C++", "N:objectivec++ P:object P:c++"),
        ("C+", "W:c"),
        ("é++", "W:e++"),
        # Only a letter makes the short form.
        ("5#", "N:5# P:5"),
        ("5++", "N:5++ P:5"),
        ("½#", "W:1 N:2# P:2"),
        # Marks on that letter, or behind the s of a plural, change nothing.
        ("कि#", "W:कि#"),
        ("IDs\u0308", "N:ids P:id"),
        ("GPUs\u0651", "N:gpus P:gpu"),
        # Humps.
        ("iPhone", "N:iphone A:iphon P:i P:phone"),
        ("utf8Decode", "N:utf8decode P:utf8 P:decod"),
        ("HTTP2Server", "N:http2server P:http2 P:server"),
        ("ABC1D", "W:abc1d"),
        ("int8", "W:int8"),
        ("WORLD", "W:world"),
        ("userIDs", "N:userids A:userid P:user P:id"),
        ("api.URLs", "N:api.urls P:api N:urls P:url"),
        ("API's", "N:apis P:api"),
        ("éÉ", "N:ee P:e P:e"),
        ("ΑθήναΒόλος", "N:αθηναβολοσ P:αθηνα P:βολοσ"),
        ("STRAẞE", "W:strass"),
        ("ﬁne ＦＩＮＥ", "W:fine W:fine"),
    ],
)
def test_compounds(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_spans_are_those_of_the_source() -> None:
    assert spans("see @scope/pkgName, ok") == [
        ("see", "see"),
        ("@scope/pkgname", "@scope/pkgName"),
        ("scope/pkgname", "scope/pkgName"),
        ("scope", "scope"),
        ("pkgname", "pkgName"),
        ("pkg", "pkg"),
        ("name", "Name"),
        ("ok", "ok"),
    ]
    assert spans("(@_foo)")[0] == ("@foo", "@_foo")
    assert spans("x C++17.") == [("x", "x"), ("c++", "C++"), ("17", "17")]
    assert spans("ﬁne cafe\u0301! so\u00adft") == [("fine", "ﬁne"), ("cafe", "cafe\u0301"), ("soft", "so\u00adft")]
    assert spans("ＡＢ㍻", "ja") == [("ab", "ＡＢ"), ("平", "㍻"), ("平成", "㍻"), ("成", "㍻")]
    assert spans("\u200b\u1161a", "ko") == [("\u1161", "\u1161"), ("a", "a")]


def test_name_without_prefix_keeps_the_suffix() -> None:
    assert spans("#fooBar++")[:2] == [("#foobar++", "#fooBar++"), ("foobar++", "fooBar++")]


def test_word_numbers_count_source_words() -> None:
    text = "see max_retry_count 延遲 C#12 !! ok"
    words = [(token.term, token.word) for token in tokens(text)]
    assert words == [
        ("see", 0), ("maxretrycount", 1), ("max", 1), ("retri", 1), ("count", 1),
        ("延", 2), ("延遲", 2), ("遲", 2), ("c#", 3), ("12", 4), ("ok", 5),
    ]  # fmt: skip


def test_white_space_of_unicode_and_zero_width_space_cut() -> None:
    for space in "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\u200b":
        assert shown(f"foo_{space}bar") == "W:foo W:bar"
        assert shown(f"a{space}.foo") == "W:a N:.foo P:foo"


@pytest.mark.parametrize("code", [0xAD, 0x200C, 0x200D, 0xFE0F, 0x2060, 0xFEFF, 0x34F, 0x115F, 0xE0101, 0x180B])
def test_ignorable_code_points_are_dropped(code: int) -> None:
    assert terms(f"so{chr(code)}ft{chr(code)}") == ["soft"]
    assert shown(f"{chr(code)}C{chr(code)}++") == "W:c++"


def test_marks_of_other_scripts_are_kept() -> None:
    assert terms("हिन्दी", "none") == ["हिन्दी"]
    assert terms("é ё ά й", "none") == ["e", "е", "α", "и"]
    assert terms("がき ｶﾞ", "ja") == ["が", "がき", "き", "ガ"]
    assert terms("각 \u1100\u1161\u11a8", "ko") == ["각", "각"]


def test_enclosing_marks_separate() -> None:
    assert terms("a\u20ddb 1\ufe0f\u20e3") == ["a", "b", "1"]


def test_modifier_letters_are_neutral() -> None:
    assert shown("Hawai\u02bbi") == "W:hawaiʻi"
    assert shown("д\u02b9а", "none") == "W:дʹа"


def test_gram_scripts_break_where_the_script_changes() -> None:
    assert shown("東京タワー", "ja") == "G:東 B:東京 G:京 G:タ B:タワ G:ワ B:ワー G:ー"
    assert shown("漢字かなカナ", "ja") == "G:漢 B:漢字 G:字 G:か B:かな G:な B:なカ G:カ B:カナ G:ナ"
    assert shown("ㄅㄆ๑ไทย", "th") == "G:ㄅ B:ㄅㄆ G:ㄆ W:๑ G:ไ B:ไท G:ท B:ทย G:ย"
    assert shown("〇一", "zh") == "G:〇 B:〇一 G:一"
    assert shown("ที่นี่", "th") == "G:ที่ B:ที่นี่ G:นี่"


def test_terms_are_cut_to_64_code_points() -> None:
    assert terms("x" * 65) == terms("x" * 64) == terms("x" * 3000) == ["x" * 64]
    assert all(len(term) <= 64 for term in terms("aB" * 100))


def test_stop_words_by_kind() -> None:
    assert stops("the") == ["the"]
    assert kept("e.g. i.e. etc") == []
    assert kept("and/or") == []
    assert kept("$the") == ["$the"]
    assert kept("the-limit") == ["thelimit", "limit"]
    assert stops("什么", "zh") == ["什", "什么", "么"]


def test_lengths_count_words_parts_and_grams() -> None:
    assert count(analyser(), "The createAskHandler of C++")[1] == 4
    assert count(analyser(), "URLs")[1] == 1
    assert count(analyser("zh"), "延迟重试")[1] == 4
    assert count(analyser("zh"), "什么")[1] == 0


@pytest.mark.parametrize("language", ["fr", "it", "ca", "fr-CA", "FR"])
def test_apostrophe_ends_a_word_in_eliding_languages(language: str) -> None:
    assert len(terms("l'eau", language)) == 2
    assert len(terms("l\u2019eau", language)) == 2
    assert len(terms("l'eau", "en")) == 1


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("de", "Häuser", "Häusern"), ("fr", "maisons", "maison"), ("es", "casas", "casa"), ("ru", "книги", "книга"),
        ("nb", "husene", "huset"), ("nn", "husene", "huset"), ("no", "husene", "huset"), ("sv", "bilarna", "bilar"),
        ("tr", "evler", "ev"), ("fi", "talossa", "talon"), ("en-GB", "limits", "limit"), ("pt_BR", "casas", "casa"),
    ],
)  # fmt: skip
def test_languages_stem(language: str, one: str, other: str) -> None:
    assert terms(one, language) == terms(other, language)


@pytest.mark.parametrize("language", ["none", "zh", "ja", "ko", "th", "zh-TW"])
def test_languages_without_stemmer(language: str) -> None:
    assert terms("limits", language) == ["limits"]


def test_none_has_no_stop_words() -> None:
    assert stops("the a of 的 什么", "none") == []


@pytest.mark.parametrize("language", ["", " ", "e n", "-", "en;", "x" * 40, "../en"])
def test_what_is_no_tag_is_refused(language: str) -> None:
    with pytest.raises(UsageError, match="language must be a tag"):
        Analyser(language)


@pytest.mark.parametrize("language", [5, None, b"en", ["en"]])
def test_what_is_no_text_is_refused(language: object) -> None:
    with pytest.raises(UsageError):
        Analyser(language)  # pyright: ignore[reportArgumentType]


def test_settings_go_through_the_manifest() -> None:
    for language in ("en", "de", "zh-TW", "none"):
        settings = Analyser(language).settings
        again = Analyser.from_settings(settings)
        assert again.settings == settings
        assert again.analyse("The URLs") == Analyser(language).analyse("The URLs")
    assert Analyser("en").settings != Analyser("de").settings
    with pytest.raises(UsageError, match="build the index again"):
        Analyser.from_settings(Analyser("en").settings | {"version": 0})
