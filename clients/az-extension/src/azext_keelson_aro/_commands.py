"""The table of commands."""

from azure.cli.core.commands import CliCommandType

from . import _help  # noqa: F401  what it holds, importing it registers
from ._clients import service_client
from ._format import cluster_row, cluster_rows, version_rows


def load_command_table(loader):
    commands = CliCommandType(operations_tmpl=f"{__package__}.custom#{{}}", client_factory=service_client)
    with loader.command_group("aro", commands, client_factory=service_client) as group:
        group.custom_command("create", "aro_create", supports_no_wait=True)
        group.custom_command("delete", "aro_delete", supports_no_wait=True, confirmation=True)
        group.custom_command("list", "aro_list", table_transformer=cluster_rows)
        group.custom_show_command("show", "aro_show", table_transformer=cluster_row)
        group.custom_command("update", "aro_update", supports_no_wait=True)
        group.custom_wait_command("wait", "aro_show")
        group.custom_command("watch", "aro_watch", table_transformer=cluster_row)
        group.custom_command("list-credentials", "aro_list_credentials")
        group.custom_command("get-admin-kubeconfig", "aro_get_admin_kubeconfig")
        group.custom_command("get-versions", "aro_get_versions", table_transformer=version_rows)
        group.custom_command("validate", "aro_validate")
    with loader.command_group("aro identity", commands, client_factory=service_client) as group:
        group.custom_command(
            "create-required",
            "aro_identity_create_required",
            confirmation="Required identities and role assignments will be created. Proceed?",
        )
        group.custom_command("get-required", "aro_identity_get_required")
