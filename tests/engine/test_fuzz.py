"""Thousands of hostile requests and query lines, over a real engine: none is our fault.

A part of them in every run; all with ``make fuzz``. Each request comes from a number alone, so that one
that failed can be made again.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from search_stack.core.settings import Settings
from search_stack.query.asked import EXAMPLES as FIELDS
from ui.api.problems import PREFIX
from ui.app import create_app

pytestmark = pytest.mark.engine
COUNT = int(os.environ.get("FUZZ", "2000"))
Ask = Callable[[random.Random, FlaskClient], Iterator[TestResponse]]

PLAIN = "pleural effusion pneumothorax asthma cough fever the of no without not possible family historical NOT OR AND -"
SIGNS = (
    '+ * ? ~ ^ | & ! ( ) [ ] { } < > / \\ : ; , . " \' ` % $ # @ = _ -- OR:OR -" "" *:* /.*/ _exists_:text ${x} {{x}}'
)
ODD = "<script> '1=1 \x00 \x1b]0;x\x07 \r\n \ufeff \u202e \u0300 \ud800 \udfff \U0001f600 \u0130 \u00df \ufb01"
WORDS = (*PLAIN.split(), *SIGNS.split(), *ODD.split(" "), "")
DAYS = ("2019", "2019-03", "2020-02-30", "0000", "9999-12-31", "-1", "99999-01-01", "today", "٢٠١٩", "2019-1-1", "1e9")
PATHS = ("/", "/search", "/results/", "/notes/", "/complete", "/healthz", "/livez", "/metrics", "/static/", "/nowhere")
METHODS = ("GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "SEARCH", "get", "")
PATIENTS = ("P-09011", "P-09027", "P-09033", "P-09048")
NAMES = ("name", "line", "query", "unit", "again", "combine", "patient_ids", "cohort", "version", "from", "to", "every")
NAMES += ("scope", "page", "size", "after", "limit", "all", "any", "not", "finding", "words", "field", "value", "x")
TYPES = (
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "multipart/form-data",
    "text/plain; charset=utf-16",
    "application/json; charset=klingon",
    "\xff",
    "",
)


def _noise(r: random.Random, most: int = 40) -> str:
    """Characters from all of Unicode, lone surrogates too."""
    spans = (
        (0, 0x20),
        (0x20, 0x7F),
        (0x80, 0x250),
        (0x300, 0x370),
        (0xD800, 0xE000),
        (0x1F300, 0x1F700),
        (0, 0x110000),
    )
    return "".join(chr(r.randrange(*r.choice(spans))) for _ in range(r.randrange(most)))


def _value(r: random.Random) -> str:
    value = r.choice(
        (r.choice(WORDS), r.choice(DAYS), _noise(r, 12), "findings", "asthma", "any", str(r.getrandbits(70)))
    )
    return f'"{value}"' if r.random() < 0.4 else value


def _term(r: random.Random) -> str:
    form = r.randrange(10)
    if form < 5:
        return r.choice(WORDS)
    if form < 8:
        return f"{r.choice(('', '-', 'NOT ', 'no '))}{r.choice((*FIELDS, 'text', '_id'))}:{_value(r)}"
    return _noise(r, 15) if form < 9 else '"' + " ".join(r.choices(WORDS, k=r.randrange(30)))


def line(r: random.Random) -> str:
    """What somebody, or something, might type."""
    form = r.randrange(12)
    if form < 7:
        return " ".join(_term(r) for _ in range(r.randrange(1, 9)))
    if form == 7:
        return " OR ".join(r.choice(WORDS) for _ in range(r.randrange(2, 80)))
    if form == 8:
        return _noise(r, 300)
    if form == 9:
        return r.choice(WORDS) * r.choice((1, 63, 64, 65, 500, 1999, 2000, 2001, 50_000))
    if form == 10:
        return r.choice('"([{:-') * r.choice((1, 64, 1999, 100_000))
    return " ".join(r.choices(("pleural", "effusion", "fever", "asthma", "left"), k=r.randrange(60, 68)))


def _form(**fields: str) -> bytes:
    return urlencode(fields, errors="surrogatepass").encode()


def _search(r: random.Random, client: FlaskClient) -> Iterator[TestResponse]:
    scope = r.choice(("passage", "note", "patient", "galaxy", _noise(r, 5)))
    body = _form(line=line(r), scope=scope)
    asked = client.post("/search", data=body, content_type="application/x-www-form-urlencoded")
    yield asked
    if asked.status_code == 303:
        page = r.choice(("1", "2", "20", "0", "-1", "99999", "²", quote(_noise(r, 5), errors="surrogatepass")))
        at = asked.headers["Location"]
        yield client.get(f"{at}{'&' if '?' in at else '?'}page={page}")


def _link(r: random.Random, client: FlaskClient) -> Iterator[TestResponse]:
    yield client.get("/?q=" + quote(line(r), errors="surrogatepass"))


def _complete(r: random.Random, client: FlaskClient) -> Iterator[TestResponse]:
    start: Any = r.choice((_noise(r, 30), r.choice(WORDS), line(r), r.getrandbits(80), None, [], {"start": "a"}, 1e300))
    bodies = (
        json.dumps({"start": start}),
        json.dumps(start),
        json.dumps({"start": start})[: r.randrange(1, 30)],
        r.choice(('[{"start":', "[", '{"start":[')) * r.choice((1, 900, 20_000)),
        "9" * 10_000,
        _noise(r, 60),
    )
    body = r.choice(bodies).encode(r.choice(("utf-8", "utf-16")), "surrogatepass")
    yield client.post("/complete", data=body, content_type="application/json")


def _note(r: random.Random, client: FlaskClient) -> Iterator[TestResponse]:
    key = r.choice((r.randrange(300), 2**63 - 1, 2**63, 10**40, -1, "1.0", "٣", ""))
    names = ("passage", "from", "scope", "page", "x")
    query = "&".join(f"{r.choice(names)}={quote(_value(r), errors='surrogatepass')}" for _ in range(r.randrange(4)))
    passage = f"&passage={r.randrange(300)}.{r.randrange(9)}" if r.random() < 0.5 else ""
    yield client.get(f"/notes/{key}?{query}{passage}")


def _json(r: random.Random, deep: int = 3) -> Any:
    """Any value, or one that is nearly right."""
    form = r.randrange(9 if deep else 6)
    if form < 6:
        return r.choice((r.choice(WORDS), _noise(r, 20), r.randrange(-2, 9), r.getrandbits(70), None, r.random() < 0.5))
    if form == 6:
        return [_json(r, deep - 1) for _ in range(r.randrange(3))]
    return {r.choice(NAMES): _json(r, deep - 1) for _ in range(r.randrange(4))}


def _body(r: random.Random, path: str) -> dict[str, Any]:
    """A body of the shape that is asked for, but for what may be wrong with it."""
    version = {"cohort": r.randrange(1, 9), **r.choice(({}, {"version": r.randrange(1, 4)}))}
    asks: dict[str, Any] = r.choice(({"line": line(r)}, {"line": "fever"}, {"query": {"words": line(r)}}))
    kept: dict[str, Any] = r.choice(
        (
            {**asks, **r.choice(({}, {"unit": "note"}))},
            {"again": True},
            {"combine": {"operation": "union", "of": [version, version]}},
            {"patient_ids": [r.choice(WORDS), *r.sample(PATIENTS, 2)]},
        )
    )
    right = {
        "/cohorts": {"name": r.choice(("a", "b", "c", _value(r))), **r.choice(({}, {"description": line(r)})), **kept},
        "/cohorts/changes": {"from": version, **r.choice(({}, {"to": version})), "after": r.randrange(9)},
        "/cohorts/compare": {"first": version, "second": version},
        "/suggest": {"start": line(r)},
        "/patients/find": {"patient_ids": [_noise(r, 9), r.choice(WORDS)]},
    }.get(path, {"every": r.randrange(200)} if path.endswith("/schedule") else asks)
    if path == "/understand":
        right = {"line": line(r)}
    return right if r.random() < 0.8 else {**right, r.choice(NAMES): _json(r)}


def _api(r: random.Random, client: FlaskClient) -> Iterator[TestResponse]:
    """A request that the description names, its parameters and body right or wrong."""
    rules = [rule for rule in client.application.url_map.iter_rules() if rule.rule.startswith(PREFIX)]
    rule = r.choice(sorted(rules, key=lambda rule: (rule.rule, sorted(rule.methods or ()))))
    key = r.choice((r.randrange(1, 5), r.randrange(300), 2**63 - 1, 2**63, "x"))
    path = re.sub(r"<[^>]*>", lambda _: str(key if r.random() < 0.3 else r.randrange(1, 9)), rule.rule)
    query = "&".join(
        f"{r.choice(('after', 'limit', 'x'))}={r.choice((r.randrange(9), 2**63, '', 'x'))}"
        for _ in range(r.randrange(3))
    )
    names = ("Idempotency-Key", "If-None-Match")
    headers = {r.choice(names): r.choice(("key", "k 1", '"tag", *', "x" * 300)) for _ in range(r.randrange(2))}
    method = r.choice(sorted((rule.methods or set()) - {"OPTIONS"}))
    body = _json(r) if r.random() < 0.1 else _body(r, path.removeprefix(PREFIX))
    data = json.dumps(body)
    asked = client.open(f"{path}?{query}", method=method, data=data, headers=headers, content_type=TYPES[0])
    yield asked
    if asked.status_code == 201:
        yield client.post(path, data=data, headers=headers, content_type=TYPES[0])
        for part in ("", "/patients", "/evidence"):
            yield client.get(f"{asked.headers['Location']}{part}?{query}", headers=headers)


def _anything(r: random.Random, client: FlaskClient) -> Iterator[TestResponse]:
    """Any method, path, headers and body; what a server would hand on, right or wrong."""
    junk = r.randbytes(r.randrange(60)).decode("latin-1")
    names = (
        "Cookie",
        "Origin",
        "Referer",
        "Content-Type",
        "Host",
        "Sec-Fetch-Site",
        "Sec-Fetch-Mode",
        "Range",
        "Accept",
    )
    raw = "".join(
        c
        for c in r.choice((junk, "localhost", "aspectra=" + "A" * 22, "same-origin", "bytes=9-1"))
        if c not in "\r\n\0"
    )
    headers = {r.choice(names): raw for _ in range(r.randrange(3))}
    yield client.open(
        "/",
        method=r.choice(METHODS) or "GET",
        data=r.randbytes(r.choice((0, 10, 300_000))) if r.random() < 0.5 else _form(line=line(r)),
        content_type=r.choice(TYPES),
        headers=headers,
        environ_overrides={
            "PATH_INFO": r.choice(PATHS) + r.choice(("", junk, "../" * 9, "1", "//x")),
            "QUERY_STRING": r.choice(
                ("", junk, "q=" + quote(line(r), errors="surrogatepass"), "q", "&&=%", "page=%ff")
            ),
        },
    )


KINDS: tuple[Ask, ...] = (_search, _search, _search, _link, _complete, _note, _api, _api, _anything, _anything)


def ask(number: int, client: FlaskClient) -> Iterator[TestResponse]:
    """The answers to request ``number``."""
    r = random.Random(number)
    yield from r.choice(KINDS)(r, client)


@pytest.fixture(scope="module")
def client(stack: Settings) -> Iterator[FlaskClient]:
    """The page over the demo notes, in this process; the cross-encoder reads one passage of each answer. Cohorts that
    requests made are deleted at the end."""
    settings = stack.model_copy(update={"rerank_cut": 1, "web_requests_per_minute": 0})
    ledger = Ledger.from_settings(settings)
    yield create_app(settings, ledger=ledger).test_client()
    store = Store(ledger.engine)
    for kept in store.cohorts():
        store.delete(kept.id)


def test_no_request_is_an_error_of_ours(client: FlaskClient) -> None:
    seen: dict[int, int] = {}
    bad = []
    for number in range(COUNT):
        for response in ask(number, client):
            seen[response.status_code] = seen.get(response.status_code, 0) + 1
            if response.status_code >= 500 or b"Traceback" in response.get_data():
                bad.append((number, response.status_code))
            response.close()
    assert bad == []
    assert {200, 303, 400, 403, 404, 405, 410, 413} <= seen.keys(), seen
