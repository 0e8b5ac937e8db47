"""/v1/identities"""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dreamsvc.idempotency import idempotent
from dreamsvc.ids import IDENTITY
from dreamsvc.pagination import ById
from dreamsvc.serializers import listed
from dreamsvc.views import ApiView
from identities.filters import IdentityFilters
from identities.models import Identity
from identities.serializers.identities import IdentityCreate, IdentityDeletedOutput, IdentityOutput, IdentityUpdate
from identities.services.identities import identity_create, identity_delete, identity_enable, identity_update


class IdentitiesView(ApiView):
    filterset_class = IdentityFilters

    @extend_schema(operation_id="list_identities", responses=listed(IdentityOutput))
    def get(self, request: Request) -> Response:
        """Identities, newest first; `search` looks into names and external ids."""
        identities = Identity.objects.for_workspace(self.workspace_id)
        return self.listing(identities, IdentityOutput, order=ById(IDENTITY))

    @extend_schema(operation_id="create_identity", request=IdentityCreate, responses=IdentityOutput)
    @idempotent
    def post(self, request: Request) -> Response:
        """Creates an identity; 409 when the workspace has its external id already."""
        identity = identity_create(workspace_id=self.workspace_id, fields=self.body(IdentityCreate))
        return Response(IdentityOutput(identity).data)


class IdentityView(ApiView):
    @extend_schema(operation_id="get_identity", responses=IdentityOutput)
    def get(self, request: Request, identity_id: str) -> Response:
        """One identity."""
        return Response(IdentityOutput(Identity.objects.found(self.workspace_id, identity_id)).data)

    @extend_schema(operation_id="update_identity", request=IdentityUpdate, responses=IdentityOutput)
    def post(self, request: Request, identity_id: str) -> Response:
        """Changes the fields given; 409 on a taken external id."""
        changes = self.body(IdentityUpdate, partial=True)
        identity = identity_update(workspace_id=self.workspace_id, identity_id=identity_id, changes=changes)
        return Response(IdentityOutput(identity).data)

    @extend_schema(operation_id="delete_identity", responses=IdentityDeletedOutput)
    def delete(self, request: Request, identity_id: str) -> Response:
        """Deletes an identity with its mounts. Its memory stores and sessions stay."""
        self.no_body()
        identity_delete(workspace_id=self.workspace_id, identity_id=identity_id)
        return Response(IdentityDeletedOutput({"id": identity_id}).data)


class IdentityEnableView(ApiView):
    @extend_schema(operation_id="enable_identity", request=None, responses=IdentityOutput)
    def post(self, request: Request, identity_id: str) -> Response:
        """Lets sessions and dreams begin for the identity again."""
        self.no_body()
        identity = identity_enable(workspace_id=self.workspace_id, identity_id=identity_id, enabled=True)
        return Response(IdentityOutput(identity).data)


class IdentityDisableView(ApiView):
    @extend_schema(operation_id="disable_identity", request=None, responses=IdentityOutput)
    def post(self, request: Request, identity_id: str) -> Response:
        """Keeps new sessions, mounts and dreams from the identity; what there is stays."""
        self.no_body()
        identity = identity_enable(workspace_id=self.workspace_id, identity_id=identity_id, enabled=False)
        return Response(IdentityOutput(identity).data)
