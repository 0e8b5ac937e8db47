"""A small API of the tests' own: the workspace's keys as objects, so that the core is tried without any app."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dreamsvc.errors import Conflict, RateLimited
from dreamsvc.filters import AnyOf, Choices, Exact, FilterSet, IncludeArchived, OneOf, TimeRange
from dreamsvc.idempotency import idempotent
from dreamsvc.ids import API_KEY, is_id
from dreamsvc.models import ApiKey, Scope
from dreamsvc.pagination import ById, Key, Order
from dreamsvc.serializers import (
    Bool,
    Const,
    Enum,
    InputSerializer,
    Int,
    Number,
    OutputSerializer,
    QuerySerializer,
    StringMap,
    Text,
    Timestamp,
    deleted_serializer,
    listed,
)
from dreamsvc.views import ApiView

ITEMS = "/v1/items"
EVERYTHING = "/v1/everything"
ItemDeleted = deleted_serializer("item_deleted")


class Item(OutputSerializer):
    id = Text()
    type = Const("item")
    name = Text()
    scope = Enum(Scope, name="KeyScope")
    created_at = Timestamp()
    revoked_at = Timestamp(allow_null=True)


class Create(InputSerializer):
    name = Text(min=1, max=20)
    scope = Enum(Scope, name="KeyScope", required=False)


class ItemFilter(FilterSet):
    scopes = Choices("scope", Scope, name="KeyScope")
    scope = OneOf("scope", Scope, name="KeyScope")
    names = AnyOf("name")
    name = Exact("name")
    created_at = TimeRange("created_at")
    include_archived = IncludeArchived("revoked_at")


class Shout(QuerySerializer):
    shout = Bool(required=False)
    times = Int(min=1, max=3, required=False)
    since = Timestamp(required=False)


class Everything(InputSerializer):
    """One field of each kind, all optional."""

    text = Text(min=1, max=5, required=False)
    lines = Text(control=True, required=False)
    flag = Bool(required=False)
    count = Int(min=0, max=10, required=False)
    ratio = Number(min=0, max=1, required=False)
    at = Timestamp(required=False)
    scope = Enum(Scope, name="KeyScope", required=False)
    metadata = StringMap(required=False)


def by_name(workspace_id: str) -> Order:
    """An order by another column, as memories have by path."""

    def resolve(id: str) -> Key | None:
        row = ApiKey.objects.filter(workspace_id=workspace_id, id=id).first()
        return row.name if row else None

    return Order("items by name", API_KEY, "name", descending=False, resolve=resolve)


class Items(ApiView):
    filterset_class = ItemFilter

    @extend_schema(operation_id="list_items", responses=listed(Item))
    def get(self, request: Request) -> Response:
        return self.listing(ApiKey.objects.filter(workspace_id=self.workspace_id), Item, order=ById(API_KEY))

    @extend_schema(operation_id="create_item", request=Create, responses=Item)
    @idempotent
    def post(self, request: Request) -> Response:
        body = self.body(Create)
        if ApiKey.objects.filter(workspace_id=self.workspace_id, name=body["name"]).exists():
            raise Conflict("name: is taken", param="name")
        made = ApiKey.objects.create(workspace_id=self.workspace_id, digest=body["name"], **{"scope": "read", **body})
        return Response(Item(made).data)


class ItemsByName(ApiView):
    filterset_class = ItemFilter

    @extend_schema(operation_id="list_items_by_name", responses=listed(Item))
    def get(self, request: Request) -> Response:
        rows = ApiKey.objects.filter(workspace_id=self.workspace_id)
        return self.listing(rows, Item, order=by_name(self.workspace_id), at_most=3)


class OneItem(ApiView):
    queries = {"GET": Shout}
    scopes = {"DELETE": Scope.ADMIN}

    @extend_schema(operation_id="get_item", responses=Item)
    def get(self, request: Request, item_id: str) -> Response:
        query = self.query()
        return Response({"id": item_id, "query": {key: str(value) for key, value in query.items()}})

    @extend_schema(operation_id="delete_item", responses=ItemDeleted)
    def delete(self, request: Request, item_id: str) -> Response:
        self.no_body()
        if not is_id(API_KEY, item_id):
            raise RateLimited("slow down", retry_after=7)
        return Response(ItemDeleted({"id": item_id}).data)


class Echo(ApiView):
    """Says what it understood of a body; PUT takes it as an update."""

    @extend_schema(operation_id="echo", request=Everything, responses=Item)
    def post(self, request: Request) -> Response:
        return Response(_shown(self.body(Everything)))

    @extend_schema(operation_id="echo_part", request=Everything, responses=Item)
    def put(self, request: Request) -> Response:
        return Response(_shown(self.body(Everything, partial=True)))


class Broken(ApiView):
    @extend_schema(operation_id="break", responses=Item)
    def get(self, request: Request) -> Response:
        raise ZeroDivisionError("the cause, which is not for strangers")


def _shown(values: dict[str, Any]) -> dict[str, Any]:
    return {key: str(value) if key == "at" else value for key, value in values.items()}


def broken_page(request: HttpRequest) -> HttpResponse:
    raise ZeroDivisionError("outside of DRF")


urlpatterns = [
    path("v1/items", Items.as_view()),
    path("v1/items_by_name", ItemsByName.as_view()),
    path("v1/items/<str:item_id>", OneItem.as_view()),
    path("v1/everything", Echo.as_view()),
    path("v1/broken", Broken.as_view()),
    path("broken_page", broken_page),
    path("", include("dreamsvc.urls")),
]
