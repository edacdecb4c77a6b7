"""Applications and service principals in Microsoft Graph."""

import time

from azure.cli.command_modules.role import GraphError, graph_client_factory
from azure.cli.core.azclierror import AzureResponseError, UnauthorizedError
from knack.log import get_logger

logger = get_logger(__name__)

CREATION_RETRIES = 3
RETRY_SECONDS = 10

_own_application = (
    "Give the cluster an application made by an account that has it: --client-id and --client-secret."
)


class Directory:
    """Requests to Graph. The error for a rejection contains the action and the missing permission."""

    def __init__(self, cli_ctx, sleep=time.sleep):
        self._client = graph_client_factory(cli_ctx)
        self._sleep = sleep

    def find_service_principal(self, application):
        """Returns its object ID. None if the tenant does not have it."""
        found = self._ask(
            f"find the service principal of application {application}",
            "Application.Read.All",
            None,
            lambda: self._client.service_principal_list(f"appId eq '{application}'"),
        )
        return found[0]["id"] if found else None

    def find_application(self, application):
        found = self._ask(
            f"find application {application}",
            "Application.Read.All",
            None,
            lambda: self._client.application_list(f"appId eq '{application}'"),
        )
        return found[0]["id"] if found else None

    def create_application(self, display_name):
        """Returns its client ID and a secret."""
        application = self._ask(
            f"create application '{display_name}'",
            "Application.ReadWrite.OwnedBy (or the role Application Developer)",
            _own_application,
            lambda: self._client.application_create({"displayName": display_name}),
        )
        return application["appId"], self.add_password(application["id"])

    def add_password(self, object_id):
        return self._ask(
            f"add a secret to application {object_id}",
            "to own the application, or Application.ReadWrite.All",
            "Make the secret elsewhere, and give it: --client-id and --client-secret.",
            lambda: self._client.application_add_password(object_id, {}),
        )["secretText"]

    def create_service_principal(self, application):
        """Creates a principal and returns its object ID. Retries, because a new application takes time to replicate."""
        retries = 0
        while True:
            try:
                return self._client.service_principal_create({"appId": application})["id"]
            except GraphError as error:
                if retries >= CREATION_RETRIES:
                    doing = f"create the service principal of application {application}"
                    permission = "Application.ReadWrite.OwnedBy (or the role Application Developer)"
                    raise _refusal(error, doing, permission, _own_application) from error
                retries += 1
                logger.warning("%s; retry %d of %d", error, retries, CREATION_RETRIES)
                self._sleep(RETRY_SECONDS)

    def _ask(self, doing, permission, way_out, call):
        try:
            return call()
        except GraphError as error:
            raise _refusal(error, doing, permission, way_out) from error


class GraphUnauthorizedError(UnauthorizedError):
    pass


class GraphResponseError(AzureResponseError):
    pass


GRAPH_ERRORS = (GraphUnauthorizedError, GraphResponseError)


def _refusal(error, doing, permission, way_out):
    response = getattr(error, "response", None)
    status = getattr(response, "status_code", None)
    text = f"Microsoft Graph did not {doing}: {error}"
    if status in (401, 403):
        return GraphUnauthorizedError(f"{text} This needs the permission {permission}.", way_out)
    return GraphResponseError(text, way_out)
