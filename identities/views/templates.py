"""/v1/templates"""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dreamsvc.idempotency import idempotent
from dreamsvc.ids import TEMPLATE
from dreamsvc.pagination import ById
from dreamsvc.serializers import listed
from dreamsvc.views import ApiView
from identities.filters import TemplateFilters
from identities.models import Template
from identities.serializers.templates import TemplateCreate, TemplateOutput, TemplateUpdate
from identities.services.templates import template_archive, template_create, template_update


class TemplatesView(ApiView):
    filterset_class = TemplateFilters

    @extend_schema(operation_id="list_templates", responses=listed(TemplateOutput))
    def get(self, request: Request) -> Response:
        """Templates, newest first, archived ones included."""
        templates = Template.objects.for_workspace(self.workspace_id)
        return self.listing(templates, TemplateOutput, order=ById(TEMPLATE))

    @extend_schema(operation_id="create_template", request=TemplateCreate, responses=TemplateOutput)
    @idempotent
    def post(self, request: Request) -> Response:
        """Creates a template; 409 when the name is taken. Keys unknown here are kept and shown."""
        template = template_create(workspace_id=self.workspace_id, fields=self.body(TemplateCreate))
        return Response(TemplateOutput(template).data)


class TemplateView(ApiView):
    @extend_schema(operation_id="get_template", responses=TemplateOutput)
    def get(self, request: Request, template_id: str) -> Response:
        """One template."""
        return Response(TemplateOutput(Template.objects.found(self.workspace_id, template_id)).data)

    @extend_schema(operation_id="update_template", request=TemplateUpdate, responses=TemplateOutput)
    def post(self, request: Request, template_id: str) -> Response:
        """Changes the fields given; 409 on a taken name."""
        changes = self.body(TemplateUpdate, partial=True)
        template = template_update(workspace_id=self.workspace_id, template_id=template_id, changes=changes)
        return Response(TemplateOutput(template).data)


class TemplateArchiveView(ApiView):
    @extend_schema(operation_id="archive_template", request=None, responses=TemplateOutput)
    def post(self, request: Request, template_id: str) -> Response:
        """Keeps new sessions, mounts and dreams from the template; what there is stays."""
        self.no_body()
        template = template_archive(workspace_id=self.workspace_id, template_id=template_id)
        return Response(TemplateOutput(template).data)
