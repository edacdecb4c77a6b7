"""Calls of Azure Resource Manager, except those of the resource provider.

Their API versions are fixed here, so that they are the same with every release of az.
"""

from urllib.parse import quote

from azure.core.exceptions import ResourceExistsError
from azure.core.rest import HttpRequest
from azure.mgmt.core.tools import parse_resource_id, resource_id

from ._clients import azure_client
from .vendored._requests import check, origin_of

RESOURCES = "2024-11-01"
NETWORK = "2022-01-01"
COMPUTE = "2022-07-02"
PERMISSIONS = "2022-05-01-preview"
ROLE_DEFINITIONS = "2022-05-01-preview"
ROLE_ASSIGNMENTS = "2022-04-01"
IDENTITIES = "2024-11-30"
MOST_PAGES = 1000


class Arm:
    """Reads and writes resources by ID. Error statuses raise azure-core's errors with the service's message."""

    def __init__(self, cli_ctx):
        self._cli_ctx = cli_ctx
        self._known_client = None

    @property
    def _client(self):
        if self._known_client is None:
            self._known_client = azure_client(self._cli_ctx)
        return self._known_client

    @property
    def subscription(self):
        return self._client._config.subscription_id

    def provider(self, namespace):
        return self._get(f"/subscriptions/{self.subscription}/providers/{namespace}", RESOURCES)

    def group_exists(self, name):
        path = f"/subscriptions/{self.subscription}/resourcegroups/{name}"
        return self._send("HEAD", path, RESOURCES, (204, 404)).status_code == 204

    def network_resource(self, identifier):
        return self._get(identifier, NETWORK)

    def disk_encryption_set(self, identifier):
        return self._get(identifier, COMPUTE)

    def permissions(self, identifier):
        return self._values(f"{identifier}/providers/Microsoft.Authorization/permissions", PERMISSIONS)

    def role_definition(self, identifier):
        return self._get(identifier, ROLE_DEFINITIONS, disambiguation_dummy="")

    def role_assignments(self, scope):
        return self._values(f"{scope}/providers/Microsoft.Authorization/roleAssignments", ROLE_ASSIGNMENTS)

    def assign_role(self, name, scope, definition, principal):
        """Creates an assignment and returns True if it is new."""
        properties = {"roleDefinitionId": definition, "principalId": principal, "principalType": "ServicePrincipal"}
        path = f"{scope}/providers/Microsoft.Authorization/roleAssignments/{name}"
        try:
            self._send("PUT", path, ROLE_ASSIGNMENTS, (200, 201), {"properties": properties})
        except ResourceExistsError:
            return False
        return True

    def put_identity(self, identifier, location):
        return self._send("PUT", identifier, IDENTITIES, (200, 201), {"location": location}).json()

    def delete_identity(self, identifier):
        self._send("DELETE", identifier, IDENTITIES, (200, 204))

    def _get(self, path, api_version, **query):
        return self._send("GET", path, api_version, (200,), **query).json()

    def _values(self, path, api_version):
        """Returns the elements of all pages."""
        page = self._get(path, api_version)
        values = list(page.get("value") or [])
        for _ in range(MOST_PAGES):
            link = page.get("nextLink")
            if not link:
                return values
            if origin_of(link) != origin_of(self._client._config.base_url):
                raise ValueError(f"the next page of {path} is on another host")
            response = self._client.send_request(HttpRequest("GET", link))
            check(response, (200,))
            page = response.json()
            values += page.get("value") or []
        raise ValueError(f"{path} has more than {MOST_PAGES} pages")

    def _send(self, method, path, api_version, expects, body=None, **query):
        headers = {"Accept": "application/json"}
        params = {"api-version": api_version, **query}
        sent = {} if body is None else {"json": body}
        request = HttpRequest(method, quote(path, safe="/()'!*~"), headers=headers, params=params, **sent)
        response = self._client.send_request(request)
        check(response, expects)
        return response


def vnet_of(subnet):
    """Returns the ID of a subnet's virtual network."""
    parts = parse_resource_id(subnet)
    return resource_id(
        subscription=parts["subscription"],
        resource_group=parts["resource_group"],
        namespace="Microsoft.Network",
        type="virtualNetworks",
        name=parts["name"],
    )


def identity_id(subscription, resource_group, name):
    return resource_id(
        subscription=subscription,
        resource_group=resource_group,
        namespace="Microsoft.ManagedIdentity",
        type="userAssignedIdentities",
        name=name,
    )


def is_identity(identifier):
    parts = parse_resource_id(identifier)
    return (parts.get("namespace") or "").lower() == "microsoft.managedidentity" and (
        parts.get("type") or ""
    ).lower() == "userassignedidentities"
