"""Versions of OpenShift and their requirements."""

from azure.cli.core.azclierror import InvalidArgumentValueError


def list_versions(client, location):
    return sorted(each.version for each in client.open_shift_versions.list(location))


def require_version(client, location, version):
    if version not in list_versions(client, location):
        raise InvalidArgumentValueError("--version invalid")


def role_set_of(client, location, version):
    """Returns the required roles of the operators of a version's minor version."""
    minor = ".".join(version.split(".")[:2])
    for role_set in client.platform_workload_identity_role_sets.list(location):
        if role_set.open_shift_version == minor:
            return role_set
    raise InvalidArgumentValueError(f"Could not find identity requirements for OpenShift version {version}.")
