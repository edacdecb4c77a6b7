"""Calls of code written for PyPI's client. Only the package differs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from recording_server import Answer

PLACE = ("group", "name")
ID = "/subscriptions/s/resourceGroups/group/providers/Microsoft.RedHatOpenShift/openShiftClusters/name"
OPERATION = "{base}/subscriptions/s/providers/Microsoft.RedHatOpenShift/locations/eastus/operationsstatus/1?api-version=2025-07-25&t=1&s=a%2Fb"
CLUSTER = {
    "id": ID,
    "name": "name",
    "type": "Microsoft.RedHatOpenShift/openShiftClusters",
    "location": "eastus",
    "tags": {"a": "b"},
    "systemData": {"createdBy": "x", "createdAt": "2026-01-02T03:04:05.678901Z"},
    "identity": {"type": "UserAssigned", "userAssignedIdentities": {"/id": {"clientId": "c", "principalId": "p"}}},
    "properties": {
        "provisioningState": "Succeeded",
        "clusterProfile": {"domain": "d", "version": "4.18.26", "oidcIssuer": "https://issuer"},
        "consoleProfile": {"url": "https://console"},
        "networkProfile": {"podCidr": "10.128.0.0/14", "preconfiguredNSG": "Disabled"},
        "workerProfiles": [{"name": "worker", "count": 3, "diskSizeGB": 128}],
        "workerProfilesStatus": [{"name": "worker-eastus1", "count": 1}],
        "apiserverProfile": {"visibility": "Public", "url": "https://api", "ip": "1.2.3.4"},
        "ingressProfiles": [{"name": "default", "visibility": "Public", "ip": "1.2.3.5"}],
        "platformWorkloadIdentityProfile": {
            "platformWorkloadIdentities": {"ingress": {"resourceId": "/i", "clientId": "c", "objectId": "o"}}
        },
    },
}
BEGUN = {"Azure-AsyncOperation": OPERATION, "Retry-After": "0"}
RUNNING = Answer(200, {"id": "/op", "name": "1", "status": "Updating"}, {"Retry-After": "0"})
DONE = Answer(200, {"id": "/op", "name": "1", "status": "Succeeded"})


@dataclass(frozen=True)
class SameCall:
    title: str
    call: Callable[[Any, Any], Any]
    """Defines the calls of a client with its module of models."""
    answers: list[Answer]


def whole_cluster(models: Any) -> Any:
    return models.OpenShiftCluster(
        location="eastus",
        tags={"a": "b"},
        cluster_profile=models.ClusterProfile(
            pull_secret="", domain="d", resource_group_id="/g", fips_validated_modules="Disabled", version=""
        ),
        network_profile=models.NetworkProfile(
            pod_cidr="10.128.0.0/14",
            service_cidr="172.30.0.0/16",
            outbound_type=models.OutboundType.LOADBALANCER,
            load_balancer_profile=models.LoadBalancerProfile(managed_outbound_ips=models.ManagedOutboundIPs(count=2)),
            preconfigured_nsg="Enabled",
        ),
        master_profile=models.MasterProfile(vm_size="Standard_D8s_v5", subnet_id="/m", disk_encryption_set_id=None),
        worker_profiles=[models.WorkerProfile(name="worker", disk_size_gb=128, count=3, encryption_at_host="Disabled")],
        apiserver_profile=models.APIServerProfile(visibility=models.Visibility.PRIVATE),
        ingress_profiles=[models.IngressProfile(name="default", visibility="Public")],
        platform_workload_identity_profile=models.PlatformWorkloadIdentityProfile(
            platform_workload_identities={"ingress": models.PlatformWorkloadIdentity(resource_id="/i")}
        ),
        identity=models.ManagedServiceIdentity(type="UserAssigned", user_assigned_identities={"/id": {}}),
        service_principal_profile=None,
    )


def changed_and_sent_back(client: Any, models: Any) -> Any:
    cluster = client.open_shift_clusters.get(*PLACE)
    cluster.network_profile.load_balancer_profile = models.LoadBalancerProfile()
    cluster.network_profile.load_balancer_profile.managed_outbound_ips = models.ManagedOutboundIPs()
    cluster.network_profile.load_balancer_profile.managed_outbound_ips.count = 3
    cluster["properties"]["clusterProfile"]["version"] = "4.19.24"
    cluster.tags = None
    return client.open_shift_clusters.begin_create_or_update(*PLACE, cluster, polling_interval=0).result()


def update(models: Any) -> Any:
    change = models.OpenShiftClusterUpdate()
    change.service_principal_profile = models.ServicePrincipalProfile()
    change.service_principal_profile.client_secret = "secret"
    return change


CALLS = [
    SameCall("operations.list", lambda client, _: list(client.operations.list()), [
        Answer(200, {"value": [{"name": "op", "display": {"provider": "p"}}]}),
    ]),
    SameCall("versions.list", lambda client, _: [each.version for each in client.open_shift_versions.list("eastus")], [
        Answer(200, {"value": [{"name": "4.18.26", "properties": {"version": "4.18.26"}}]}),
    ]),
    SameCall("versions.get", lambda client, _: client.open_shift_versions.get("eastus", "4.18.26").version, [
        Answer(200, {"name": "4.18.26", "properties": {"version": "4.18.26"}}),
    ]),
    SameCall(
        "role sets.list",
        lambda client, _: [
            (each.open_shift_version, each.platform_workload_identity_roles[0].operator_name)
            for each in client.platform_workload_identity_role_sets.list("eastus")
        ],
        [Answer(200, {"value": [{"properties": {
            "openShiftVersion": "4.18",
            "platformWorkloadIdentityRoles": [{"operatorName": "ingress"}],
        }}]})],
    ),
    SameCall("role set.get", lambda client, _: client.platform_workload_identity_role_set.get("eastus", "4.18"), [
        Answer(200, {"properties": {"openShiftVersion": "4.18"}}),
    ]),
    SameCall("clusters.list, two pages", lambda client, _: [each.name for each in client.open_shift_clusters.list()], [
        Answer(200, {
            "value": [CLUSTER],
            "nextLink": "{base}/subscriptions/s/providers/Microsoft.RedHatOpenShift/openShiftClusters"
            "?api-version=2020-04-30&%24skipToken=a%2Bb%2F%3D",
        }),
        Answer(200, {"value": [{**CLUSTER, "name": "other"}], "nextLink": ""}),
    ]),
    SameCall(
        "clusters.list_by_resource_group",
        lambda client, _: list(client.open_shift_clusters.list_by_resource_group("a group")),
        [Answer(200, {"value": []})],
    ),
    SameCall("clusters.get", lambda client, _: client.open_shift_clusters.get(*PLACE), [Answer(200, CLUSTER)]),
    SameCall(
        "clusters.get with custom headers and parameters",
        lambda client, _: client.open_shift_clusters.get(
            *PLACE, headers={"x-ms-client-request-id": "1"}, params={"more": "y"}
        ),
        [Answer(200, CLUSTER)],
    ),
    SameCall(
        "clusters.get, its response taken by cls",
        lambda client, _: client.open_shift_clusters.get(*PLACE, cls=lambda run, answer, headers: answer.name),
        [Answer(200, CLUSTER)],
    ),
    SameCall(
        "clusters.create",
        lambda client, models: client.open_shift_clusters.begin_create_or_update(
            *PLACE, whole_cluster(models), polling_interval=0
        ).result(),
        [Answer(201, CLUSTER, BEGUN), RUNNING, DONE, Answer(200, CLUSTER)],
    ),
    SameCall(
        "clusters.create from a mapping",
        lambda client, _: client.open_shift_clusters.begin_create_or_update(
            *PLACE, {"location": "eastus", "properties": {"consoleProfile": {"url": "u"}}}, polling=False
        ).result(),
        [Answer(201, CLUSTER, BEGUN)],
    ),
    SameCall("clusters.create from what was read", changed_and_sent_back, [
        Answer(200, CLUSTER), Answer(200, CLUSTER, BEGUN), DONE, Answer(200, CLUSTER),
    ]),
    SameCall(
        "clusters.update",
        lambda client, models: client.open_shift_clusters.begin_update(*PLACE, update(models), polling_interval=0).result(),
        [Answer(200, CLUSTER, BEGUN), DONE, Answer(200, CLUSTER)],
    ),
    SameCall(
        "clusters.update of nothing",
        lambda client, models: client.open_shift_clusters.begin_update(
            *PLACE, models.OpenShiftClusterUpdate(), polling_interval=0
        ).result(),
        [Answer(200, CLUSTER, BEGUN), DONE, Answer(200, CLUSTER)],
    ),
    SameCall(
        "clusters.delete",
        lambda client, _: client.open_shift_clusters.begin_delete(*PLACE, polling_interval=0).result(),
        [
            Answer(202, None, {**BEGUN, "Location": "{base}/subscriptions/s/operationresults/1?api-version=2025-07-25"}),
            RUNNING,
            DONE,
        ],
    ),
    SameCall(
        "clusters.delete of what is not there",
        lambda client, _: client.open_shift_clusters.begin_delete(*PLACE, polling_interval=0).result(),
        [Answer(204)],
    ),
    SameCall(
        "clusters.list_credentials",
        lambda client, _: client.open_shift_clusters.list_credentials(*PLACE).kubeadmin_password,
        [Answer(200, {"kubeadminUsername": "kubeadmin", "kubeadminPassword": "p"})],
    ),
    SameCall(
        "clusters.list_admin_credentials",
        lambda client, _: client.open_shift_clusters.list_admin_credentials(*PLACE).kubeconfig,
        [Answer(200, {"kubeconfig": "eA=="})],
    ),
    SameCall("a try again", lambda client, _: client.open_shift_clusters.get(*PLACE), [
        Answer(503, None, {"Retry-After": "0"}), Answer(200, CLUSTER),
    ]),
]

REFUSAL = {"error": {"code": "Refused", "message": "No.", "details": [{"code": "Why", "message": "Because."}]}}
REFUSALS = [
    SameCall(f"{status}", lambda client, _: client.open_shift_clusters.get(*PLACE), [Answer(status, REFUSAL)])
    for status in (400, 401, 403, 404, 409)
] + [
    SameCall(
        "a PUT that is Accepted",
        lambda client, models: client.open_shift_clusters.begin_create_or_update(
            *PLACE, models.OpenShiftCluster(location="eastus")
        ),
        [Answer(202, CLUSTER, BEGUN)],
    ),
    SameCall(
        "a DELETE that is OK",
        lambda client, _: client.open_shift_clusters.begin_delete(*PLACE),
        [Answer(200, None, BEGUN)],
    ),
    SameCall(
        "an operation that fails",
        lambda client, _: client.open_shift_clusters.begin_delete(*PLACE, polling_interval=0).result(),
        [Answer(202, None, BEGUN), Answer(200, {"status": "Failed", **REFUSAL})],
    ),
]
