"""Requests that cannot be served: each is told what was expected and what came, and none ends the function."""

import base64
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import coldseek
from bindings.lambda_events import EVERY_OPTION, function_url, ok, problem, strict_json
from coldseek import aws_lambda
from coldseek.aws_lambda import handler

pytestmark = pytest.mark.usefixtures("lambda_index")

DEEP: list[Any] = []
for _ in range(100_000):
    DEEP = [DEEP]

BAD_REQUESTS: list[tuple[dict[str, Any], str]] = [
    ({}, "question"),
    ({"question": "a", "query": "b"}, "query"),
    ({"question": None}, "must be text, not null"),
    ({"question": 5}, "must be text, not 5"),
    ({"question": "a\ud83d"}, "not valid Unicode"),
    ({"question": "a", "topk": 5}, "there are: topK"),
    ({"question": "a", "top_k": 5}, "there are: topK"),
    ({"question": "a", "topK": "5"}, "topK must be a whole number, not '5'"),
    ({"question": "a", "topK": True}, "not true"),
    ({"question": "a", "topK": 2.0}, "topK must be a whole number, not 2.0"),
    ({"question": "a", "topK": 51}, "topK must be a whole number from 1 to 50, not 51"),
    ({"question": "a", "topK": 10**5000}, "beyond 64 bits"),
    ({"question": "a", "topK": None}, "leave it out"),
    ({"question": "a", "minSimilarity": "0.2"}, "minSimilarity must be a number"),
    ({"question": "a", "minSimilarity": float("nan")}, "minSimilarity must be a number from -1 to 1"),
    ({"question": "a", "minKeywordCoverage": float("inf")}, "minKeywordCoverage must be a number from 0 to 1"),
    ({"question": "a", "similarityNeedsKeyword": 1}, "true or false"),
    ({"question": "a", "explain": True}, "there is no option"),
    ({"question": "a", "maxPerDocument": 0}, "maxPerDocument must be a whole number from 1 to 50"),
    ({"question": "a", "expand": 3}, "expand must be a whole number from 0 to 2"),
    ({"query": "a", "highlight": 1}, "highlight must be true or false"),
    ({"query": "a", "scoreThreshold": 2}, "scoreThreshold must be a number from -1 to 1"),
    ({"query": "a", "hybrid": True, "mode": "lexical"}, "mode must be left out"),
    ({"question": "a", "mode": "fuzzy"}, "hybrid, semantic, lexical"),
    ({"question": "a", "mode": ["lexical"]}, "not a list"),
    ({"question": "a", "siteName": ""}, "siteName must be text"),
    ({"question": "a", "noAnswerMessage": "\udc00"}, "noAnswerMessage is not valid Unicode"),
    ({"question": "a", "filter": None}, "filter must be an object, not null"),
    ({"question": "a", "filter": []}, "filter must be an object, not a list"),
    ({"question": "a", "filter": {"document_ids": []}}, "there are: documentIds, filename, metadata, contains, phrase"),
    ({"question": "a", "filter": {"documentIds": "x"}}, "filter documentIds must be a list"),
    ({"question": "a", "filter": {"metadata": {"nokey": 1}}}, "the index has: locale"),
    ({"question": "a", "filter": {"metadata": {"locale": {}}}}, "must be a text"),
    (
        {"question": "a", "filter": {"metadata": {"locale": {"like": 1}}}},
        "there are: eq, ne, in, nin, gt, gte, lt, lte",
    ),
    ({"question": "a", "filter": {"metadata": {"locale": {"gte": "soon"}}}}, "a number or an ISO date"),
    ({"question": "a", "filter": {"metadata": {"locale": {"eq": DEEP}}}}, "nested too deeply"),
    ({"question": "a", "filter": {"filename": 5}}, "filter filename must be a text or a list of texts, not 5"),
    ({"question": "a", "filter": {"contains": "!"}}, "filter contains must hold a word"),
    ({"question": "a", "filter": {"phrase": ["a"]}}, "filter phrase must be a text"),
    ({"question": "a", "vector": [1.0]}, "512"),
    ({"question": "a", "vector": ["1"]}, "a list of numbers"),
    ({"question": "a", "vector": [float("nan")] * 512}, "finite"),
    ({"question": "a", "filter": {"metadata": {"locale": DEEP}}}, "nested too deeply"),
    ({"question": DEEP}, "must be text, not a list"),
    ({"question": "a", "x" * 10_000: 1}, "there is no option"),
]


@pytest.mark.parametrize(("request_object", "said"), BAD_REQUESTS, ids=range(len(BAD_REQUESTS)))
def test_bad_requests(request_object: dict[str, Any], said: str) -> None:
    with pytest.raises(coldseek.UsageError) as caught:
        handler(request_object)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 1100
    str(caught.value).encode()
    if {"question", "query"} & set(request_object):
        try:
            body = json.dumps(request_object)
        except (ValueError, RecursionError):
            return  # Python does not write it
        path = "/retrieve" if "question" in request_object else "/search"
        detail = problem(function_url("POST", path, body=body), 400)
        assert said in detail or any(word in detail for word in ("not JSON", "there are:", "no number in JSON"))


BAD_BODIES: list[tuple[Any, bool, int, str]] = [
    (None, False, 400, "no body"),
    ("", False, 400, "no body"),
    (5, False, 400, "must be text"),
    ("{oops", False, 400, "not JSON"),
    ("[1]", False, 400, "not a list"),
    ('"text"', False, 400, "not 'text'"),
    ("null", False, 400, "not null"),
    ('{"question": NaN}', False, 400, "no number in JSON"),
    ('{"question": "a", "minSimilarity": 1e999}', False, 400, "not inf"),
    ('{"query": "a"}', False, 400, 'with "question"'),
    ("[" * 100_000, False, 400, "not JSON"),
    ('{"a":' * 100_000, False, 400, "not JSON"),
    ("1" * 10_000, False, 400, "not JSON"),
    ("\ud800", False, 400, "not valid Unicode"),
    ('{"question": "\\ud800"}', False, 400, "not valid Unicode"),
    ("{}", True, 400, "base64"),
    ("e30", True, 400, "base64"),
    ("äöü", True, 400, "base64"),
    (base64.b64encode(b"\xff\xfe").decode(), True, 400, "not UTF-8"),
    (" " * (aws_lambda.MAX_BODY_BYTES + 1), False, 413, "at most 1048576"),
    ("湯" * (aws_lambda.MAX_BODY_BYTES // 2), False, 413, "at most 1048576"),
    (base64.b64encode(b" " * (aws_lambda.MAX_BODY_BYTES + 1)).decode(), True, 413, "at most 1048576"),
]


@pytest.mark.parametrize(("body", "encoded", "status", "said"), BAD_BODIES, ids=range(len(BAD_BODIES)))
def test_bad_bodies(body: Any, encoded: bool, status: int, said: str) -> None:
    assert said in problem(function_url("POST", "/retrieve", body=body, isBase64Encoded=encoded), status)


def test_the_largest_body_is_read() -> None:
    text = '{"question": "copper"}'
    assert ok(function_url("POST", "/retrieve", body=text + " " * (aws_lambda.MAX_BODY_BYTES - len(text))))


def test_bad_parameters() -> None:
    for parameters, said in (
        (None, 'with "question"'),
        ({}, 'with "question"'),
        ({"question": "a", "topK": "many"}, "topK must be a whole number, not 'many'"),
        ({"question": "a", "topK": "2.0"}, "topK must be a whole number, not 2.0"),
        ({"question": "a", "minSimilarity": "NaN"}, "minSimilarity must be a number, not 'NaN'"),
        ({"question": "a", "utm_source": "x"}, "there is no option 'utm_source'"),
        ({"question": "a", "filter": "{"}, "filter must be an object"),
        ({"question": 5}, "question must be text"),
        ([1], "must be an object"),
    ):
        assert said in problem(function_url("GET", "/retrieve", queryStringParameters=parameters), 400)


def test_wrong_paths_and_methods() -> None:
    for path in ("/", "", "/favicon.ico", "/retrieve/x", "/Retrieve", "/retrieve\ud800", "//"):
        assert "/retrieve and /search" in problem(function_url("GET", path), 404)
    for method in ("PUT", "DELETE", "OPTIONS", "HEAD", "post", "\ud800"):
        event = function_url(method, "/retrieve", body='{"question": "a"}')
        assert "POST or GET" in problem(event, 405)
        assert handler(event)["headers"]["Allow"] == "GET, POST"


@pytest.mark.parametrize(
    "event",
    [
        None,
        [],
        "question",
        5,
        {"Records": [{"eventSource": "aws:sqs"}]},
        {"httpMethod": "POST", "path": "/retrieve", "body": "{}", "requestContext": {"stage": "prod"}},
        {"requestContext": {"http": {"method": 5}}, "rawPath": "/retrieve"},
        {"requestContext": {"http": {"method": "GET"}}},
        {"requestContext": None},
    ],
    ids=repr,
)
def test_events_that_are_no_question(event: Any) -> None:
    with pytest.raises(coldseek.UsageError) as caught:
        handler(event)
    assert "question" in str(caught.value) or "payload format 2.0" in str(caught.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(), max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
REQUESTS = st.fixed_dictionaries(
    {},
    optional={name: JSON | st.just(value) for name, value in {"question": "a", "query": "b", **EVERY_OPTION}.items()},
)
EVENTS = (
    JSON
    | REQUESTS
    | st.fixed_dictionaries(
        {},
        optional={
            "rawPath": st.sampled_from(["/retrieve", "/search", "/x/retrieve"]) | JSON,
            "requestContext": st.fixed_dictionaries(
                {},
                optional={
                    "http": st.fixed_dictionaries({}, optional={"method": st.sampled_from(["GET", "POST"]) | JSON})
                },
            )
            | JSON,
            "body": REQUESTS.map(json.dumps) | JSON,
            "queryStringParameters": st.dictionaries(st.sampled_from(list(EVERY_OPTION)), st.text(), max_size=3) | JSON,
            "isBase64Encoded": JSON,
        },
    )
)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(EVENTS)
def test_any_event_gives_json_or_a_typed_error(event: Any) -> None:
    try:
        result = handler(event)
    except coldseek.UsageError as error:
        str(error).encode()
        return
    strict_json(json.dumps(result, ensure_ascii=False, allow_nan=False))
    if "statusCode" in result:
        assert result["statusCode"] in (200, 400, 404, 405, 413)
        strict_json(result["body"])
