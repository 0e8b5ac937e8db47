"""The base of every view: strict queries and bodies, the caller's workspace, and lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.db.models import QuerySet
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from dreamsvc.actors import Actor
from dreamsvc.authentication import key_of
from dreamsvc.errors import InvalidRequest
from dreamsvc.filters import FilterSet, filtered
from dreamsvc.models import ApiKey, Scope
from dreamsvc.pagination import MAX_LIMIT, PARAMS, Order, envelope, page_of, page_request
from dreamsvc.serializers import InputSerializer, OutputSerializer, QuerySerializer

TOLERATED_QUERY_KEYS = frozenset({"beta"})


class ApiView(GenericAPIView[Any]):
    """A view under /v1.

    `scopes` overrides what a method needs (GET read, else write); `queries` declares a method's query keys. A view
    with a `filterset_class` is a list: its GET also takes the filters' keys and those of `paging`.
    """

    http_method_names = ["get", "post", "put", "delete", "head"]
    scopes: ClassVar[Mapping[str, Scope]] = {}
    queries: ClassVar[Mapping[str, type[QuerySerializer]]] = {}
    filterset_class: ClassVar[type[FilterSet] | None] = None
    paging: ClassVar[Sequence[str]] = PARAMS

    @property
    def api_key(self) -> ApiKey:
        return key_of(self.request)

    @property
    def workspace_id(self) -> str:
        return self.api_key.workspace_id

    @property
    def actor(self) -> Actor:
        return Actor.key(self.api_key)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self._check_query_keys(request)

    def query(self) -> dict[str, Any]:
        """The validated values of this method's `queries` serializer; empty when it has none."""
        declared = self.queries.get(self._method)
        if declared is None:
            return {}
        given = self.request.query_params
        serializer = declared(data={key: texts for key, texts in given.lists() if key in declared().fields})
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def body(self, serializer_class: type[InputSerializer], *, partial: bool = False) -> dict[str, Any]:
        """The validated body. Partial: only what the request names, for updates."""
        if not isinstance(self.request.data, dict):
            raise InvalidRequest("the body must be a JSON object")
        serializer = serializer_class(data=self.request.data, partial=partial)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def no_body(self) -> None:
        """For actions and DELETE: no body, an empty one, or `{}`."""
        if self.request.data != {}:
            raise InvalidRequest("the request takes no body")

    def listing(
        self,
        queryset: QuerySet[Any],
        serializer_class: type[OutputSerializer],
        *,
        order: Order,
        at_most: int = MAX_LIMIT,
        context: Mapping[str, Any] | None = None,
    ) -> Response:
        """One page of the rows that the filters leave, in the list's envelope, in one query (prefetches aside)."""
        request = page_request(self.request.query_params, order, at_most=at_most)
        if self.filterset_class is not None:
            queryset = filtered(self.filterset_class, self.request.query_params, queryset, self.request)
        page = page_of(queryset, order, request)
        data = list(serializer_class(page.rows, many=True, context=dict(context or {})).data)
        return Response(envelope(data, page.next_page))

    @property
    def _method(self) -> str:
        return "GET" if self.request.method == "HEAD" else str(self.request.method)

    def _check_query_keys(self, request: Request) -> None:
        known = self.query_keys(self._method)
        for key, values in request.query_params.lists():
            if key not in known and key not in TOLERATED_QUERY_KEYS:
                raise InvalidRequest(f"{key}: is not a known query parameter", param=key)
            if key in PARAMS and len(values) > 1:
                raise InvalidRequest(f"{key}: is given twice", param=key)

    @classmethod
    def query_keys(cls, method: str) -> set[str]:
        """Every query key that the method takes."""
        keys = set(cls.queries[method]().fields) if method in cls.queries else set()
        if method == "GET" and cls.filterset_class is not None:
            keys |= cls.filterset_class.keys() | set(cls.paging)
        return keys
