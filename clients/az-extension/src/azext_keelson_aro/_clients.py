"""Whom commands call: the resource provider, and Azure around it."""

import os

from azure.cli.core.commands.client_factory import get_mgmt_service_client

from .vendored import AzureRedHatOpenShiftClient

# The application as which the service itself calls Azure.
SERVICE_APPLICATION = "f1dd0a37-89c6-4e07-bcd1-ffd3d43d8875"
LOCAL_SERVICE = "https://localhost:8443"


def is_development():
    """Whether the resource provider is a process on this machine, with Azure's own calls going where they always go."""
    return os.environ.get("RP_MODE", "").lower() == "development"


def service_application():
    if is_development():
        return os.environ.get("AZURE_FP_CLIENT_ID", SERVICE_APPLICATION)
    return SERVICE_APPLICATION


def service_client(cli_ctx, *_):
    """The client of the resource provider: behind the active cloud's resource manager, or on this machine."""
    if is_development():
        # A process in development has a certificate of its own making.
        return _client(cli_ctx, base_url=LOCAL_SERVICE, connection_verify=False)
    return azure_client(cli_ctx)


def azure_client(cli_ctx, *_):
    """A client of the active cloud's resource manager, whichever cloud that is."""
    return _client(cli_ctx)


def _client(cli_ctx, **options):
    return get_mgmt_service_client(cli_ctx, AzureRedHatOpenShiftClient, **options)
