"""Clients of the resource provider and of other Azure services."""

import os

from azure.cli.core.commands.client_factory import get_mgmt_service_client

from .vendored import AzureRedHatOpenShiftClient

# Client ID of the application with which the service calls Azure.
SERVICE_APPLICATION = "f1dd0a37-89c6-4e07-bcd1-ffd3d43d8875"
LOCAL_SERVICE = "https://localhost:8443"


def is_development():
    """Returns True if the resource provider is a process on this machine. Other calls use Azure as usual."""
    return os.environ.get("RP_MODE", "").lower() == "development"


def service_application():
    if is_development():
        return os.environ.get("AZURE_FP_CLIENT_ID", SERVICE_APPLICATION)
    return SERVICE_APPLICATION


def service_client(cli_ctx, *_):
    """Returns the client of the resource provider, through the active cloud's resource manager or on this machine."""
    if is_development():
        # A local development service has a self-signed certificate.
        return _client(cli_ctx, base_url=LOCAL_SERVICE, connection_verify=False)
    return azure_client(cli_ctx)


def azure_client(cli_ctx, *_):
    """Returns a client of the active cloud's resource manager."""
    return _client(cli_ctx)


def _client(cli_ctx, **options):
    return get_mgmt_service_client(cli_ctx, AzureRedHatOpenShiftClient, **options)
