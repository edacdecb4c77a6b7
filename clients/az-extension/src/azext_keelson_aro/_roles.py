"""Role assignments that clusters need."""

import uuid

from azure.cli.core.azclierror import InvalidArgumentValueError
from azure.core.exceptions import HttpResponseError
from azure.mgmt.core.tools import resource_id
from knack.log import get_logger

from ._network import disk_encryption_sets, network_resources

logger = get_logger(__name__)

NETWORK_CONTRIBUTOR = "4d97b98b-1d4f-4787-a291-c67834d212e7"
READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7"
FEDERATED_CREDENTIAL = "ef318e2a-8334-4a05-9e4a-295a196c6a6e"
SERVICE = "42f3c60f-e7b1-46d7-ba56-6de681664342"


def role_id(subscription, role):
    return resource_id(
        subscription=subscription, namespace="Microsoft.Authorization", type="roleDefinitions", name=role
    )


def resources_by_role(arm, cluster, strict):
    """Resources with the roles that the principals of a cluster need, in a fixed order."""
    return {
        NETWORK_CONTRIBUTOR: sorted(network_resources(arm, cluster, strict)),
        READER: sorted(disk_encryption_sets(cluster)),
    }


def has_role(arm, scope, principal, role):
    wanted = role_id(arm.subscription, role).lower()
    for assignment in arm.role_assignments(scope):
        properties = assignment.get("properties") or {}
        definition = (properties.get("roleDefinitionId") or "").lower()
        # Older clients wrote `roledefinition` in the singular.
        definition = definition.replace("/roledefinition/", "/roledefinitions/")
        if definition == wanted and (properties.get("principalId") or "").lower() == principal.lower():
            return True
    return False


def assign(arm, principal, definition, scope):
    if principal is None:
        raise InvalidArgumentValueError(f"The principal that needs {definition} over {scope} was not found.")
    if not arm.assign_role(str(uuid.uuid4()), scope, definition, principal):
        logger.warning(
            "Role Assignment already exists for { principal: %s, role definition: %s, scope: %s }.",
            principal,
            definition,
            scope,
        )


def ensure_roles(arm, cluster, strict, principals):
    """Assigns missing roles. If not strict, unreadable assignments are assumed to exist."""
    try:
        resources = resources_by_role(arm, cluster, strict)
    except HttpResponseError as error:
        if strict:
            raise
        logger.info(error.message)
        return
    for principal in principals:
        for role in sorted(resources):
            for scope in resources[role]:
                try:
                    missing = not has_role(arm, scope, principal, role)
                except HttpResponseError as error:
                    if strict:
                        raise
                    logger.info(error.message)
                    continue
                if missing:
                    assign(arm, principal, role_id(arm.subscription, role), scope)
