"""Checks of arguments without requests."""

import ipaddress
import json
import re
import uuid
from collections import Counter
from os.path import exists

from azure.cli.core.azclierror import (
    InvalidArgumentValueError,
    MutuallyExclusiveArgumentError,
    RequiredArgumentMissingError,
)
from azure.mgmt.core.tools import parse_resource_id
from knack.log import get_logger

logger = get_logger(__name__)

FEWEST_WORKERS = 3
SMALLEST_DISK_GB = 128
MOST_OUTBOUND_IPS = 20
# First 4.x minor release with workload identities.
FIRST_MINOR_WITH_IDENTITIES = 14

_label = r"([a-z0-9]|[a-z0-9][-a-z0-9]{0,61}[a-z0-9])"
_domain = re.compile(rf"{_label}(\.{_label})*")
_version = re.compile(r"([4-9])\.([0-9]{1,2})\.[0-9]{1,2}")


def option(key):
    return "--" + key.replace("_", "-")


def validate_cidr(key):
    def validate(namespace):
        cidr = getattr(namespace, key)
        if cidr is None:
            return
        try:
            ipaddress.IPv4Network(cidr)
        except ValueError as error:
            raise InvalidArgumentValueError(f"Invalid {option(key)} '{cidr}'.") from error

    return validate


def _not_with_identities(namespace, given):
    if getattr(namespace, "enable_managed_identity", None) is True:
        raise MutuallyExclusiveArgumentError(f"Must not specify {given} when --enable-managed-identity is True")
    if getattr(namespace, "platform_workload_identities", None) is not None:
        raise MutuallyExclusiveArgumentError(
            f"Must not specify {given} when --assign-platform-workload-identity is used"
        )


def validate_client_id(is_create):
    def validate(namespace):
        if namespace.client_id is None:
            return
        _not_with_identities(namespace, "--client-id")
        try:
            uuid.UUID(namespace.client_id)
        except ValueError as error:
            raise InvalidArgumentValueError(f"Invalid --client-id '{namespace.client_id}'.") from error
        if not namespace.client_secret:
            raise RequiredArgumentMissingError("Must specify --client-secret with --client-id.")
        if not is_create and namespace.upgradeable_to is not None:
            raise MutuallyExclusiveArgumentError("Must not specify --client-id when --upgradeable-to is used.")

    return validate


def validate_client_secret(is_create):
    def validate(namespace):
        if namespace.client_secret is None:
            return
        _not_with_identities(namespace, "--client-secret")
        if is_create and not namespace.client_id:
            raise RequiredArgumentMissingError("Must specify --client-id with --client-secret.")
        if not is_create and namespace.upgradeable_to is not None:
            raise MutuallyExclusiveArgumentError("Must not specify --client-secret when --upgradeable-to is used.")

    return validate


def validate_domain(namespace):
    if namespace.domain is not None and not _domain.fullmatch(namespace.domain):
        raise InvalidArgumentValueError(f"Invalid --domain '{namespace.domain}'.")


def validate_pull_secret(namespace):
    if namespace.pull_secret is None:
        logger.warning(
            "No --pull-secret provided: cluster will not include samples or operators from "
            "Red Hat or from certified partners."
        )
        return
    try:
        if exists(namespace.pull_secret):
            with open(namespace.pull_secret, "r", encoding="utf-8") as file:
                namespace.pull_secret = file.read().rstrip("\n")
        if not isinstance(json.loads(namespace.pull_secret), dict):
            raise ValueError("Pull secret must be a valid JSON object")
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidArgumentValueError("Invalid --pull-secret.") from error


def validate_outbound_type(namespace):
    if namespace.outbound_type not in ("UserDefinedRouting", "Loadbalancer", None):
        raise InvalidArgumentValueError('Invalid --outbound-type: must be "UserDefinedRouting" or "Loadbalancer"')
    visibilities = [namespace.ingress_visibility, namespace.apiserver_visibility]
    if namespace.outbound_type == "UserDefinedRouting" and any(each in ("Public", None) for each in visibilities):
        raise InvalidArgumentValueError(
            "Invalid --outbound-type: cannot use UserDefinedRouting when "
            "either --apiserver-visibility or --ingress-visibility is set "
            "to Public or not defined"
        )


def validate_visibility(key):
    def validate(namespace):
        visibility = getattr(namespace, key)
        if visibility is not None and visibility.capitalize() not in ("Private", "Public"):
            raise InvalidArgumentValueError(f"Invalid {option(key)} '{visibility.capitalize()}'.")

    return validate


def validate_worker_count(namespace):
    if namespace.worker_count is not None and namespace.worker_count < FEWEST_WORKERS:
        raise InvalidArgumentValueError(f"--worker-count must be greater than or equal to {FEWEST_WORKERS}")


def validate_worker_disk_size(namespace):
    size = namespace.worker_vm_disk_size_gb
    if size is not None and size < SMALLEST_DISK_GB:
        raise InvalidArgumentValueError(f"--worker-vm-disk-size-gb must be greater than or equal to {SMALLEST_DISK_GB}")


def validate_outbound_ip_count(namespace):
    count = namespace.load_balancer_managed_outbound_ip_count
    if count is not None and not 1 <= count <= MOST_OUTBOUND_IPS:
        raise InvalidArgumentValueError(
            "--load-balancer-managed-outbound-ip-count must be between 1 and "
            f"{MOST_OUTBOUND_IPS} (inclusive)."
        )


def validate_version(namespace):
    if namespace.version is not None and not _version.fullmatch(namespace.version):
        raise InvalidArgumentValueError("--version is invalid")


def validate_upgradeable_to(namespace):
    if not namespace.upgradeable_to:
        return
    found = _version.fullmatch(namespace.upgradeable_to)
    if not found or (int(found[1]) == 4 and int(found[2]) < FIRST_MINOR_WITH_IDENTITIES):
        raise InvalidArgumentValueError("--upgradeable-to format is invalid")


def validate_refresh_credentials(namespace):
    if not namespace.refresh_cluster_credentials:
        return
    if namespace.client_secret is not None or namespace.client_id is not None:
        raise RequiredArgumentMissingError(
            "--client-id and --client-secret must be not set with --refresh-credentials."
        )
    if namespace.platform_workload_identities is not None:
        raise MutuallyExclusiveArgumentError(
            "--platform-workload-identities must be not set with --refresh-credentials."
        )
    if namespace.upgradeable_to is not None:
        raise MutuallyExclusiveArgumentError("Must not specify --refresh-credentials when --upgradeable-to is used.")


def validate_managed_identity(namespace):
    if not namespace.enable_managed_identity:
        return
    enabled = "--enable-managed-identity/--enable-mi"
    own, operators = "--assign-cluster-identity/--mi-user-assigned", namespace.platform_workload_identities
    for given in ("client_id", "client_secret"):
        if getattr(namespace, given):
            raise InvalidArgumentValueError(f"Must not specify {option(given)} when {enabled} is True")
    if operators and not namespace.mi_user_assigned:
        raise RequiredArgumentMissingError(
            f"Must specify {own} with --assign-platform-workload-identity/--assign-platform-wi"
        )
    if not operators and namespace.mi_user_assigned:
        raise RequiredArgumentMissingError(
            f"Must specify --assign-platform-workload-identity/--assign-platform-wi with {own}"
        )
    if not operators and not namespace.version:
        raise RequiredArgumentMissingError(
            f"{enabled} without {own} and "
            "--assign-platform-wi/--assign-platform-workload-identity requires --version."
        )


def validate_no_duplicates(namespace):
    counts = Counter(name for name, _ in namespace.platform_workload_identities)
    duplicates = [name for name, count in counts.items() if count > 1]
    if duplicates:
        raise InvalidArgumentValueError(f"Platform workload identities {duplicates} were provided multiple times")


def validate_delete_identities(namespace):
    if namespace.delete_identities and namespace.no_wait:
        raise MutuallyExclusiveArgumentError("Must not specify --no-wait when --delete-identities is used")


def validate_subnets(master_subnet, worker_subnet):
    """Checks that both are different subnets of one network."""
    master, worker = parse_resource_id(master_subnet), parse_resource_id(worker_subnet)
    for what, part in (("resource group", "resource_group"), ("vnet name", "name")):
        if master[part].lower() != worker[part].lower():
            raise InvalidArgumentValueError(
                f"--master-subnet {what} '{master[part]}' must equal --worker-subnet {what} '{worker[part]}'."
            )
    if master["child_name_1"].lower() == worker["child_name_1"].lower():
        raise InvalidArgumentValueError(
            f"--master-subnet name '{master['child_name_1']}' "
            f"must not equal --worker-subnet name '{worker['child_name_1']}'."
        )
