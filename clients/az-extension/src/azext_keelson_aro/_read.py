"""Commands that change nothing."""

from base64 import b64decode

from azure.cli.core.azclierror import FileOperationError
from knack.log import get_logger

from ._output import output
from ._versions import list_versions

logger = get_logger(__name__)


def aro_list(client, resource_group_name=None):
    clusters = client.open_shift_clusters
    found = clusters.list_by_resource_group(resource_group_name) if resource_group_name else clusters.list()
    return [output(cluster) for cluster in found]


def aro_show(client, resource_group_name, resource_name):
    return output(client.open_shift_clusters.get(resource_group_name, resource_name))


def aro_list_credentials(client, resource_group_name, resource_name):
    return output(client.open_shift_clusters.list_credentials(resource_group_name, resource_name))


def aro_get_admin_kubeconfig(client, resource_group_name, resource_name, file="kubeconfig"):
    answer = client.open_shift_clusters.list_admin_credentials(resource_group_name, resource_name)
    text = b64decode(answer.kubeconfig).decode("utf-8")
    try:
        # The file contains a key, so only its owner can read it. An existing file is not overwritten.
        with open(file, "x", encoding="utf-8", opener=_for_owner) as opened:
            opened.write(text)
    except FileExistsError as error:
        raise FileOperationError(f"File {file} already exists.") from error
    except OSError as error:
        raise FileOperationError(f"File {file} cannot be written: {error.strerror}.") from error
    logger.info("Kubeconfig written to file: %s", file)


def _for_owner(path, flags):
    from os import open as open_descriptor

    return open_descriptor(path, flags, 0o600)


def aro_get_versions(client, location):
    return list_versions(client, location)
