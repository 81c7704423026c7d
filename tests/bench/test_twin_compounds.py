"""The analyser twin on identifiers and other compounds, against cases worked by hand."""

import pytest

from baseline.analyser_twin import TwinAnalyser
from baseline.tokens import Token

ENGLISH = TwinAnalyser("en", frozenset({"a", "of", "with", "e.g", "the"}))
SHORT = {"WORD": "W", "PART": "P", "NAME": "N", "LOOSE_NAME": "L", "ALIAS": "A"}


def shown(text: str) -> str:
    return " ".join(f"{SHORT[token.kind]}:{token.term}" for token in ENGLISH.analyse(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("createAskHandler()", "N:createaskhandler A:createaskhandl P:creat P:ask P:handler"),
        ("parseHTMLDocument", "N:parsehtmldocument A:parsehtmldocu P:pars P:html P:document"),
        ("max_retry_count", "N:maxretrycount P:max P:retri P:count"),
        ("maxRetryCount", "N:maxretrycount P:max P:retri P:count"),
        ("max-retry-count", "L:maxretrycount P:max P:retri P:count"),
        ("max\u2011retry\u2010count", "L:maxretrycount P:max P:retri P:count"),
        ("RetryBudgetPolicy", "N:retrybudgetpolicy A:retrybudgetpolici P:retri P:budget P:polici"),
        ("TokenBucketLimiter", "N:tokenbucketlimiter A:tokenbucketlimit P:token P:bucket P:limit"),
        ("process.env.NODE_ENV", "N:process.env.nodeenv P:process P:env N:nodeenv P:node P:env"),
        ("ERR-7741X", "N:err7741x P:err P:7741x"),
        ("v1.2.3", "N:v1.2.3 P:v1 P:2 P:3"),
        # Suffixes and prefixes.
        ("C++", "W:c++"),
        ("C#", "W:c#"),
        ("F#,", "W:f#"),
        ("C", "W:c"),
        ("C++17", "W:c++ W:17"),
        ("C#12", "W:c# W:12"),
        ("C#.NET", "W:c# N:.net P:net"),
        (".NET", "N:.net P:net"),
        ("asp.net", "N:asp.net P:asp P:net"),
        ("@with", "N:@with P:with"),
        ("@scope/pkgName", "N:@scope/pkgname N:scope/pkgname P:scope N:pkgname P:pkg P:name"),
        ("$HOME #42 .5", "N:$home P:home N:#42 P:42 W:5"),
        ("..foo ##bar", "W:foo W:bar"),
        ("foo# foo#bar", "N:foo# P:foo N:foo#bar P:foo P:bar"),
        ("g++", "W:g++"),
        ("libstdc++", "N:libstdc++ P:libstdc"),
        # Joiners.
        ("std::vector", "N:std::vector P:std P:vector"),
        ("a:::b", "W:a W:b"),
        ("AT&T", "L:at&t P:at P:t"),
        ("and/or", "L:and/or P:and P:or"),
        ("up-to/date", "L:upto/date L:upto P:up P:to P:date"),
        ("foo--bar", "W:foo W:bar"),
        ("foo__bar", "N:foobar P:foo P:bar"),
        ("_foo_ -bar-", "W:foo W:bar"),
        ("foo.(bar)", "W:foo W:bar"),
        ("user@example.com", "N:user@example.com P:user P:exampl P:com"),
        ("fooбар", "W:foo W:бар"),
        # Humps and plural acronyms.
        ("URLs", "N:urls P:url"),
        ("APIs", "N:apis P:api"),
        ("IDs", "N:ids P:id"),
        ("URLS", "W:url"),
        ("As", "W:as"),
        ("userIDs", "N:userids A:userid P:user P:id"),
        ("api.URLs", "N:api.urls P:api N:urls P:url"),
        ("iPhone", "N:iphone A:iphon P:i P:phone"),
        ("utf8Decode", "N:utf8decode P:utf8 P:decod"),
        ("int8", "W:int8"),
        ("MP3s", "W:mp3s"),
        ("ABC1D", "W:abc1d"),
        ("HTTP2Server", "N:http2server P:http2 P:server"),
        ("WORLD", "W:world"),
        # The part of a plural acronym is stemmed without its s.
        ("GPUs", "N:gpus P:gpu"),
        ("GPU's", "N:gpus P:gpu"),
        ("max_GPUs", "N:maxgpus P:max P:gpu"),
        ("api.GPUs", "N:api.gpus P:api N:gpus P:gpu"),
        # Underscores around a strong joiner belong to it; before the first word they hide no prefix.
        ("__init__.py", "N:init.py P:init P:py"),
        ("foo_#bar", "N:foo#bar P:foo P:bar"),
        ("foo#_bar", "N:foo#bar P:foo P:bar"),
        ("foo_::__bar", "N:foo::bar P:foo P:bar"),
        ("foo_/_bar", "L:foo/bar P:foo P:bar"),
        ("foo_-bar foo-_bar", "W:foo W:bar W:foo W:bar"),
        ("foo_._.bar", "W:foo N:.bar P:bar"),
        ("foo_# foo_", "W:foo W:foo"),
        ("@_foo", "N:@foo P:foo"),
        ("._foo ._5", "N:.foo P:foo W:5"),
        ("x@_foo @@_foo", "N:x@foo P:x P:foo W:foo"),
        # One letter takes a sharp sign only where nothing is joined before it.
        ("docs/a#anchor", "N:docs/a#anchor P:doc P:a P:anchor"),
        ("a_c#12", "N:ac#12 N:ac P:a P:c P:12"),
        ("docs/a#", "N:docs/a# P:doc P:a#"),
        ("c#_x", "W:c# W:x"),
    ],
)
def test_compounds(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_spans_of_a_compound_its_segments_and_parts() -> None:
    text = "see @Foo/barBaz#,"
    assert ENGLISH.analyse(text)[1:] == [
        Token("@foo/barbaz#", 4, 16, "NAME", False, 1),
        Token("foo/barbaz#", 5, 16, "NAME", False, 1),
        Token("foo", 5, 8, "PART", False, 1),
        Token("barbaz", 9, 15, "NAME", False, 1),
        Token("bar", 9, 12, "PART", False, 1),
        Token("baz", 12, 15, "PART", False, 1),
    ]


def test_stop_words_of_names_and_parts() -> None:
    assert [(token.term, token.stop) for token in ENGLISH.analyse("@with e.g. out-of")] == [
        ("@with", False),
        ("with", True),
        ("e.g", True),
        ("e", True),
        ("g", True),
        ("outof", False),
        ("out", False),
        ("of", True),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A loose compound of stop words is one, with all it holds; an identifier of stop words is not.
        ("of-the", "ofthe! ofth! of! the!"),
        ("with/the-of", "with/theof! with! theof! the! of!"),
        ("with-us", "withus with! us"),
        ("of_the", "ofthe ofth of! the!"),
        # Beside a prefix the whole is another name; each name is judged by its own text.
        ("@e.g", "@e.g e.g! e g"),
        ("api.HADs", "api.hads api hads! had"),
        # An alias is judged as its name.
        ("fooCaches", "foocaches! foocach! foo! cach!"),
        ("api.fooCaches", "api.foocaches api foocaches! foocach! foo cach"),
    ],
)
def test_a_stop_word_as_a_whole_takes_all_its_tokens_along(text: str, expected: str) -> None:
    analyser = TwinAnalyser("en", frozenset({"of", "with", "the", "e.g", "hads", "foocaches"}))
    tokens = analyser.analyse(text)
    assert " ".join(token.term + "!" * token.stop for token in tokens) == expected


def test_spans_of_a_prefix_before_underscores_and_of_a_plural() -> None:
    assert ENGLISH.analyse("see @__foo_ GPUs")[1:] == [
        Token("@foo", 4, 10, "NAME", False, 1),
        Token("foo", 7, 10, "PART", False, 1),
        Token("gpus", 12, 16, "NAME", False, 2),
        Token("gpu", 12, 16, "PART", False, 2),
    ]


def test_segments_of_a_loose_compound_are_loose_names() -> None:
    assert shown("sign-in/log-in") == "L:signin/login L:signin P:sign P:in L:login P:log P:in"


def test_without_its_prefix_a_name_keeps_its_suffix() -> None:
    assert shown("$fooBar++") == "N:$foobar++ N:foobar++ P:foo P:bar"
    assert [(token.start, token.end) for token in ENGLISH.analyse("$fooBar++")[:2]] == [(0, 9), (1, 9)]


def test_every_spelling_of_an_identifier_has_one_name() -> None:
    for text in ("max-retry-count", "max_retry_count", "maxRetryCount", "MaxRetryCount"):
        assert ENGLISH.analyse(text)[0].term == "maxretrycount"


def test_joiners_never_touch_grams() -> None:
    tokens = ENGLISH.analyse("foo-中.bar C#中")
    assert [(token.term, token.kind) for token in tokens] == [
        ("foo", "WORD"),
        ("中", "GRAM"),
        ("bar", "WORD"),
        ("c#", "WORD"),
        ("中", "GRAM"),
    ]
