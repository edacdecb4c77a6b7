from __future__ import annotations

import os
import stat
from types import SimpleNamespace

import pytest
from azext_keelson_aro._clients import service_application
from azext_keelson_aro._format import cluster_row
from azext_keelson_aro._output import output
from azext_keelson_aro._read import aro_get_admin_kubeconfig
from azext_keelson_aro.vendored import models
from azure.cli.core.azclierror import CLIError
from fake_azure import GROUP

CLUSTER = {
    "id": f"{GROUP}/providers/Microsoft.RedHatOpenShift/openShiftClusters/one",
    "name": "one",
    "location": "eastus",
    "properties": {
        "provisioningState": "Creating",
        "workerProfiles": [{"count": 3, "diskSizeGB": 128}, {"count": 2}, {}],
        "networkProfile": {"preconfiguredNSG": "Disabled"},
    },
}


def test_members_of_properties_are_beside_the_others():
    printed = output(models.OpenShiftCluster(CLUSTER))
    assert printed["provisioningState"] == "Creating"
    assert printed["networkProfile"]["preconfiguredNsg"] == "Disabled"
    assert printed["workerProfiles"][0]["diskSizeGb"] == 128
    assert (printed["tags"], printed["consoleProfile"]) == (None, None)
    assert "properties" not in printed


def test_a_cluster_without_a_console_has_a_row():
    row = cluster_row(output(models.OpenShiftCluster(CLUSTER)))
    assert list(row) == ["Name", "ResourceGroup", "Location", "ProvisioningState", "WorkerCount", "URL"]
    assert list(row.values()) == ["one", "group", "eastus", "Creating", 5, None]


def test_a_kubeconfig_is_for_its_owner_and_overwrites_nothing(tmp_path):
    answer = SimpleNamespace(kubeconfig="YTogYgo=")
    client = SimpleNamespace(open_shift_clusters=SimpleNamespace(list_admin_credentials=lambda *place: answer))
    file = str(tmp_path / "kubeconfig")
    aro_get_admin_kubeconfig(client, "group", "one", file)
    assert open(file, encoding="utf-8").read() == "a: b\n"
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    with pytest.raises(CLIError, match="already exists."):
        aro_get_admin_kubeconfig(client, "group", "one", file)
    with pytest.raises(CLIError, match="cannot be written"):
        aro_get_admin_kubeconfig(client, "group", "one", str(tmp_path / "no" / "file"))


def test_the_services_application_is_another_in_development_alone(monkeypatch):
    monkeypatch.setenv("AZURE_FP_CLIENT_ID", "other")
    assert service_application() == "f1dd0a37-89c6-4e07-bcd1-ffd3d43d8875"
    monkeypatch.setenv("RP_MODE", "Development")
    assert service_application() == "other"
