"""Plays steps and prints each as a line of JSON, which the command that started this counts; needs no client."""

import json
import os
import traceback
import urllib.request
from typing import Any, Callable, NoReturn, TypeVar

T = TypeVar("T")

BASE_URL = os.environ["GATEHOUSE_BASE_URL"]
API_KEY = os.environ["GATEHOUSE_API_KEY"]
CLIENT_ID = os.environ["GATEHOUSE_CLIENT_ID"]
OUTSIDE = os.environ["GATEHOUSE_OUTSIDE"]
PASSWORD = "plain tulips over kelp"


class AreaStopped(Exception):
    """A step failed on which the rest of its area builds."""


def step(name: str, work: Callable[[], T]) -> T:
    """Runs one step. Raises AreaStopped when it fails."""
    try:
        value = work()
    except Exception as error:  # whatever a client raises is what is reported
        where = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__}: {error} ({where.name}:{where.lineno})"
        print(json.dumps({"step": name, "ok": False, "why": why}), flush=True)
        raise AreaStopped(name) from error
    print(json.dumps({"step": name, "ok": True}), flush=True)
    return value


def must(holds: Any, what: str = "") -> None:
    """Raises AssertionError, with what was seen instead, unless a promise holds."""
    if not holds:
        raise AssertionError(what or "does not hold")


def equals(seen: Any, expected: Any) -> None:
    """Raises AssertionError unless two values are the same."""
    must(seen == expected, f"expected {expected!r}, got {seen!r}")


def rejected(name: str, work: Callable[[], Any], error: type[Exception]) -> Any:
    """A step whose call must end with just this class of the client. Returns the error."""

    def call() -> Any:
        try:
            value = work()
        except error as raised:
            must(type(raised) is error, f"{type(raised).__name__} instead of {error.__name__}: {raised}")
            return raised
        return unexpected(value)

    return step(name, call)


def unexpected(value: Any) -> NoReturn:
    raise AssertionError(f"was not rejected: {value!r}")


def outside(path: str, body: dict[str, Any] | None = None) -> Any:
    """Calls the world outside: a browser, an authenticator app, a webhook receiver."""
    return fetched(f"{OUTSIDE}{path}", body)


def local(path: str, body: dict[str, Any] | None = None) -> Any:
    """Calls what the local service has for tests: captured mail and its clock."""
    return fetched(f"{BASE_URL}/_local/{path}", body)


def fetched(url: str, body: dict[str, Any] | None = None, headers: dict[str, str] | None = None) -> Any:
    """Reads JSON."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json", **(headers or {})})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)
