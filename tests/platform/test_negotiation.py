"""`Accept`: which answers may be had as Markdown."""

from __future__ import annotations

import pytest
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from dreamsvc.negotiation import accepts


@pytest.mark.parametrize(
    ("header", "named"),
    [
        ("text/markdown", True),
        ("Text/Markdown; charset=utf-8", True),
        ("application/json, text/markdown;q=0.5", True),
        ("text/markdown;q=0.001", True),
        ("text/markdown;q=0", False),
        ("text/markdown; Q=0.000", False),
        ("text/markdown;charset=utf-8;q=0.0, */*", False),
        ("text/*", False),
        ("*/*", False),
        ("", False),
        ("text/markdownish", False),
    ],
)
def test_a_type_is_accepted_where_it_is_named_and_not_refused(header: str, named: bool) -> None:
    request = Request(APIRequestFactory().get("/", headers={"accept": header}))
    assert accepts(request, "text/markdown") == named
