"""Events as AWS Lambda sends them, and what must hold for each answer to one."""

import json
from typing import Any

from coldseek.aws_lambda import handler

EVERY_OPTION: dict[str, Any] = {
    "topK": 1,
    "mode": "hybrid",
    "filter": {
        "metadata": {"locale": ["en"]},
        "documentIds": ["/docs/a"],
        "filename": ["a.md", "b.md"],
        "contains": "kettle",
        "phrase": "copper kettle",
    },
    "vector": [0.25] * 512,
    "maxPerDocument": 1,
    "highlight": True,
    "expand": 1,
    "candidates": 5,
    "rrfK": 10,
    "minSimilarity": 1,
    "minKeywordCoverage": 0.4,
    "similarityNeedsKeyword": True,
    "maxContextChars": 50,
    "siteName": "Acme",
    "noAnswerMessage": "No.",
}
EVERY_SEARCH_OPTION: dict[str, Any] = {
    **{name: EVERY_OPTION[name] for name in ("topK", "filter", "vector", "highlight", "expand")},
    "maxPerDocument": 2,
    "hybrid": True,
    "scoreThreshold": -1,
    "explain": True,
}


def api_gateway(method: str, path: str, stage: str = "$default", **more: Any) -> dict[str, Any]:
    """An event of an API Gateway HTTP API, payload format 2.0."""
    return {
        "version": "2.0",
        "routeKey": f"{method} /{{proxy+}}",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {
            "accept": "*/*",
            "content-length": "52",
            "content-type": "application/json",
            "host": "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com",
            "user-agent": "curl/8.5.0",
            "x-amzn-trace-id": "Root=1-65f00000-0123456789abcdef01234567",
            "x-forwarded-for": "192.0.2.7",
            "x-forwarded-port": "443",
            "x-forwarded-proto": "https",
        },
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "a1b2c3d4e5",
            "domainName": "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com",
            "domainPrefix": "a1b2c3d4e5",
            "http": {
                "method": method,
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": "192.0.2.7",
                "userAgent": "curl/8.5.0",
            },
            "requestId": "JKJaXmPLvHcESHA=",
            "routeKey": f"{method} /{{proxy+}}",
            "stage": stage,
            "time": "12/Mar/2026:19:03:58 +0000",
            "timeEpoch": 1773342238000,
        },
        "isBase64Encoded": False,
        **more,
    }


def function_url(method: str, path: str, **more: Any) -> dict[str, Any]:
    """An event of a function URL."""
    event = api_gateway(method, path, **more)
    event["routeKey"] = event["requestContext"]["routeKey"] = "$default"
    event["headers"]["host"] = event["requestContext"]["domainName"] = "abcdefgh.lambda-url.eu-central-1.on.aws"
    event["requestContext"]["authorizer"] = {"iam": {"accountId": "123456789012"}}
    return event


def ok(event: dict[str, Any]) -> Any:
    response = handler(event)
    assert (response["statusCode"], response["headers"]) == (200, {"Content-Type": "application/json"})
    assert response["isBase64Encoded"] is False
    return strict_json(response["body"])


def problem(event: dict[str, Any], status: int) -> str:
    """The detail of the problem JSON that an event gets."""
    response = handler(event)
    assert response["statusCode"] == status, response
    assert response["headers"]["Content-Type"] == "application/problem+json"
    body = strict_json(response["body"])
    assert set(body) == {"type", "title", "status", "detail"}
    assert (body["type"], body["status"]) == ("about:blank", status)
    assert body["title"]
    assert "\n" not in body["detail"]
    return body["detail"]


def strict_json(text: str) -> Any:
    def refuse(name: str) -> None:
        raise AssertionError(name)

    text.encode()
    return json.loads(text, parse_constant=refuse)


def without_time(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name != "latencyMs"}
