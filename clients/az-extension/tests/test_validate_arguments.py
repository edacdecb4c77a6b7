"""Every rule of an argument, with its error message."""

from __future__ import annotations

import json
import logging
from types import SimpleNamespace

import pytest
from azext_keelson_aro import _validate_arguments as rules
from azure.cli.core.azclierror import CLIError
from fake_azure import GROUP, MASTER, VNET, WORKER

ID = "11111111-1111-1111-1111-111111111111"
DEFAULTS = {
    "client_id": None,
    "client_secret": None,
    "platform_workload_identities": None,
    "mi_user_assigned": None,
    "enable_managed_identity": None,
    "upgradeable_to": None,
    "version": None,
    "outbound_type": None,
    "ingress_visibility": None,
    "apiserver_visibility": None,
    "refresh_cluster_credentials": None,
    "delete_identities": None,
    "no_wait": False,
}
WI = [("ingress", "/i")]
UDR = "UserDefinedRouting"
UDR_REFUSED = (
    "Invalid --outbound-type: cannot use UserDefinedRouting when either --apiserver-visibility or "
    "--ingress-visibility is set to Public or not defined"
)
LB_REFUSED = "--load-balancer-managed-outbound-ip-count must be between 1 and 20 (inclusive)."
REFRESH_REFUSED = "--client-id and --client-secret must be not set with --refresh-credentials."
NEEDS_VERSION = (
    "--enable-managed-identity/--enable-mi without --assign-cluster-identity/--mi-user-assigned and "
    "--assign-platform-wi/--assign-platform-workload-identity requires --version."
)

create_id, update_id = rules.validate_client_id(True), rules.validate_client_id(False)
create_secret, update_secret = rules.validate_client_secret(True), rules.validate_client_secret(False)

ROWS = [
    (rules.validate_cidr("pod_cidr"), {"pod_cidr": None}, None),
    (rules.validate_cidr("pod_cidr"), {"pod_cidr": "10.128.0.0/14"}, None),
    (rules.validate_cidr("pod_cidr"), {"pod_cidr": "10.128.0.1/14"}, "Invalid --pod-cidr '10.128.0.1/14'."),
    (rules.validate_cidr("service_cidr"), {"service_cidr": "fd00::/64"}, "Invalid --service-cidr 'fd00::/64'."),
    (create_id, {}, None),
    (create_id, {"client_id": ID, "client_secret": "s"}, None),
    (create_id, {"client_id": "x", "client_secret": "s"}, "Invalid --client-id 'x'."),
    (create_id, {"client_id": ID}, "Must specify --client-secret with --client-id."),
    (create_id, {"client_id": ID, "client_secret": ""}, "Must specify --client-secret with --client-id."),
    (
        create_id,
        {"client_id": ID, "client_secret": "s", "enable_managed_identity": True},
        "Must not specify --client-id when --enable-managed-identity is True",
    ),
    (
        create_id,
        {"client_id": ID, "client_secret": "s", "platform_workload_identities": WI},
        "Must not specify --client-id when --assign-platform-workload-identity is used",
    ),
    (
        update_id,
        {"client_id": ID, "client_secret": "s", "upgradeable_to": "4.18.1"},
        "Must not specify --client-id when --upgradeable-to is used.",
    ),
    (create_secret, {"client_secret": "s"}, "Must specify --client-id with --client-secret."),
    (update_secret, {"client_secret": "s"}, None),
    (
        update_secret,
        {"client_secret": "s", "upgradeable_to": "4.18.1"},
        "Must not specify --client-secret when --upgradeable-to is used.",
    ),
    (
        create_secret,
        {"client_secret": "s", "enable_managed_identity": True},
        "Must not specify --client-secret when --enable-managed-identity is True",
    ),
    (rules.validate_domain, {"domain": "example"}, None),
    (rules.validate_domain, {"domain": "a.example-1.com"}, None),
    (rules.validate_domain, {"domain": "Example"}, "Invalid --domain 'Example'."),
    (rules.validate_domain, {"domain": "a..b"}, "Invalid --domain 'a..b'."),
    (rules.validate_domain, {"domain": "a\n"}, "Invalid --domain 'a\n'."),
    (rules.validate_domain, {"domain": "a" * 64}, f"Invalid --domain '{'a' * 64}'."),
    (rules.validate_outbound_type, {}, None),
    (rules.validate_outbound_type, {"outbound_type": "Loadbalancer"}, None),
    (
        rules.validate_outbound_type,
        {"outbound_type": "NAT"},
        'Invalid --outbound-type: must be "UserDefinedRouting" or "Loadbalancer"',
    ),
    (
        rules.validate_outbound_type,
        {"outbound_type": UDR, "ingress_visibility": "Private", "apiserver_visibility": "Private"},
        None,
    ),
    (rules.validate_outbound_type, {"outbound_type": UDR, "ingress_visibility": "Private"}, UDR_REFUSED),
    (
        rules.validate_outbound_type,
        {"outbound_type": UDR, "ingress_visibility": "Public", "apiserver_visibility": "Private"},
        UDR_REFUSED,
    ),
    (rules.validate_visibility("ingress_visibility"), {"ingress_visibility": "private"}, None),
    (
        rules.validate_visibility("ingress_visibility"),
        {"ingress_visibility": "secret"},
        "Invalid --ingress-visibility 'Secret'.",
    ),
    (rules.validate_worker_count, {"worker_count": None}, None),
    (rules.validate_worker_count, {"worker_count": 3}, None),
    (rules.validate_worker_count, {"worker_count": 2}, "--worker-count must be greater than or equal to 3"),
    (rules.validate_worker_count, {"worker_count": 0}, "--worker-count must be greater than or equal to 3"),
    (rules.validate_worker_disk_size, {"worker_vm_disk_size_gb": 128}, None),
    (
        rules.validate_worker_disk_size,
        {"worker_vm_disk_size_gb": 127},
        "--worker-vm-disk-size-gb must be greater than or equal to 128",
    ),
    (rules.validate_outbound_ip_count, {"load_balancer_managed_outbound_ip_count": 20}, None),
    (rules.validate_outbound_ip_count, {"load_balancer_managed_outbound_ip_count": 0}, LB_REFUSED),
    (rules.validate_outbound_ip_count, {"load_balancer_managed_outbound_ip_count": 21}, LB_REFUSED),
    (rules.validate_version, {"version": "4.18.26"}, None),
    (rules.validate_version, {"version": "4.18"}, "--version is invalid"),
    (rules.validate_version, {"version": "3.11.0"}, "--version is invalid"),
    (rules.validate_version, {"version": "4.18.26-rc.1"}, "--version is invalid"),
    (rules.validate_upgradeable_to, {"upgradeable_to": "4.14.0"}, None),
    (rules.validate_upgradeable_to, {"upgradeable_to": "5.1.0"}, None),
    (rules.validate_upgradeable_to, {"upgradeable_to": "4.13.9"}, "--upgradeable-to format is invalid"),
    (rules.validate_upgradeable_to, {"upgradeable_to": "4.10.1"}, "--upgradeable-to format is invalid"),
    (rules.validate_upgradeable_to, {"upgradeable_to": "4.18"}, "--upgradeable-to format is invalid"),
    (rules.validate_refresh_credentials, {"client_id": ID}, None),
    (rules.validate_refresh_credentials, {"refresh_cluster_credentials": True}, None),
    (rules.validate_refresh_credentials, {"refresh_cluster_credentials": True, "client_id": ID}, REFRESH_REFUSED),
    (rules.validate_refresh_credentials, {"refresh_cluster_credentials": True, "client_secret": "s"}, REFRESH_REFUSED),
    (
        rules.validate_refresh_credentials,
        {"refresh_cluster_credentials": True, "platform_workload_identities": WI},
        "--platform-workload-identities must be not set with --refresh-credentials.",
    ),
    (
        rules.validate_refresh_credentials,
        {"refresh_cluster_credentials": True, "upgradeable_to": "4.18.1"},
        "Must not specify --refresh-credentials when --upgradeable-to is used.",
    ),
    (rules.validate_managed_identity, {"client_id": ID}, None),
    (rules.validate_managed_identity, {"enable_managed_identity": True, "version": "4.18.1"}, None),
    (
        rules.validate_managed_identity,
        {"enable_managed_identity": True, "mi_user_assigned": "/i", "platform_workload_identities": WI},
        None,
    ),
    (rules.validate_managed_identity, {"enable_managed_identity": True}, NEEDS_VERSION),
    (
        rules.validate_managed_identity,
        {"enable_managed_identity": True, "client_id": ID},
        "Must not specify --client-id when --enable-managed-identity/--enable-mi is True",
    ),
    (
        rules.validate_managed_identity,
        {"enable_managed_identity": True, "client_secret": "s"},
        "Must not specify --client-secret when --enable-managed-identity/--enable-mi is True",
    ),
    (
        rules.validate_managed_identity,
        {"enable_managed_identity": True, "platform_workload_identities": WI},
        "Must specify --assign-cluster-identity/--mi-user-assigned with "
        "--assign-platform-workload-identity/--assign-platform-wi",
    ),
    (
        rules.validate_managed_identity,
        {"enable_managed_identity": True, "mi_user_assigned": "/i"},
        "Must specify --assign-platform-workload-identity/--assign-platform-wi with "
        "--assign-cluster-identity/--mi-user-assigned",
    ),
    (rules.validate_no_duplicates, {"platform_workload_identities": WI}, None),
    (
        rules.validate_no_duplicates,
        {"platform_workload_identities": [*WI, ("ingress", "/j"), ("other", "/k")]},
        "Platform workload identities ['ingress'] were provided multiple times",
    ),
    (rules.validate_delete_identities, {"delete_identities": True}, None),
    (
        rules.validate_delete_identities,
        {"delete_identities": True, "no_wait": True},
        "Must not specify --no-wait when --delete-identities is used",
    ),
]


@pytest.mark.parametrize(("rule", "given", "refusal"), ROWS)
def test_arguments(rule, given, refusal):
    namespace = SimpleNamespace(**{**DEFAULTS, **given})
    if refusal is None:
        rule(namespace)
        return
    with pytest.raises(CLIError) as caught:
        rule(namespace)
    assert str(caught.value) == refusal


OTHER = f"{GROUP}/providers/Microsoft.Network/virtualNetworks/other/subnets/worker"
ELSEWHERE = WORKER.replace("/group/", "/elsewhere/")


@pytest.mark.parametrize(
    ("master", "worker", "refusal"),
    [
        (MASTER, WORKER, None),
        (MASTER, WORKER.upper().replace("/SUBNETS/", "/subnets/"), None),
        (
            MASTER,
            ELSEWHERE,
            "--master-subnet resource group 'group' must equal --worker-subnet resource group 'elsewhere'.",
        ),
        (MASTER, OTHER, "--master-subnet vnet name 'net' must equal --worker-subnet vnet name 'other'."),
        (
            MASTER,
            f"{VNET}/subnets/MASTER",
            "--master-subnet name 'master' must not equal --worker-subnet name 'MASTER'.",
        ),
    ],
)
def test_subnets(master, worker, refusal):
    if refusal is None:
        rules.validate_subnets(master, worker)
        return
    with pytest.raises(CLIError) as caught:
        rules.validate_subnets(master, worker)
    assert str(caught.value) == refusal


def test_a_pull_secret_is_an_object_or_a_file_of_one(tmp_path):
    file = tmp_path / "secret.json"
    file.write_text('{"auths":{}}\n')
    for given in ('{"auths":{}}', str(file)):
        namespace = SimpleNamespace(pull_secret=given)
        rules.validate_pull_secret(namespace)
        assert json.loads(namespace.pull_secret) == {"auths": {}}
    for given in ("[]", "{", "", str(tmp_path), "[" * 100_000):
        with pytest.raises(CLIError) as caught:
            rules.validate_pull_secret(SimpleNamespace(pull_secret=given))
        assert str(caught.value) == "Invalid --pull-secret."


def test_no_pull_secret_is_a_warning(caplog):
    with caplog.at_level(logging.WARNING):
        rules.logger.propagate = True
        rules.validate_pull_secret(SimpleNamespace(pull_secret=None))
    assert "No --pull-secret provided: cluster will not include samples or operators" in caplog.text
