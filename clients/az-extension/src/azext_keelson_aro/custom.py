"""Command functions that az loads."""

from ._create import aro_create, aro_identity_create_required, aro_identity_get_required, aro_validate
from ._delete import aro_delete
from ._read import (
    aro_get_admin_kubeconfig,
    aro_get_versions,
    aro_list,
    aro_list_credentials,
    aro_show,
)
from ._update import aro_update
from ._watch import aro_watch

__all__ = [
    "aro_create",
    "aro_delete",
    "aro_get_admin_kubeconfig",
    "aro_get_versions",
    "aro_identity_create_required",
    "aro_identity_get_required",
    "aro_list",
    "aro_list_credentials",
    "aro_show",
    "aro_update",
    "aro_validate",
    "aro_watch",
]
