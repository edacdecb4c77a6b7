import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Check } from "../support/check.ts";
import { assertRefused, assertStatus } from "../support/expect.ts";
import { firstVersion, newest, unknownSubscription } from "../support/service.ts";
import { until } from "../support/until.ts";
import { failing, theWorld } from "../support/world.ts";

const busy = "Request is not allowed in provisioningState 'Creating'.";
const failedCreation = "Request is not allowed on cluster whose creation failed. Delete the cluster.";

const machineImages = {
  hyperVGen1: { publisher: "azureopenshift", offer: "aro4", sku: "aro_418", version: "418.94.20250122" },
};

/** Checks of types, versions, conversion and validation in the ARM API. */
export const apiChecks: readonly Check[] = [
  {
    id: "api 1",
    what: "a create answers 201 with the state Creating and an operation, and without secrets",
    async run() {
      const { main } = theWorld().created;
      assert.ok(main);
      assertStatus(main, 201);
      assert.equal(main.body.properties.provisioningState, "Creating");
      assert.match(String(main.headers["azure-asyncoperation"]), /\/operationsstatus\/[0-9a-f-]{36}\?/);
      assert.doesNotMatch(main.text, /pullSecret|clientSecret/);
    },
  },
  {
    id: "api 2",
    what: "FIPS must be said where a version has it, and is Disabled where one has not",
    async run(service) {
      const body = service.request("main", {
        properties: { clusterProfile: { fipsValidatedModules: undefined } },
      });
      assertRefused(await service.arm.put(service.cluster("nofips"), body), {
        code: "InvalidParameter",
        target: "properties.clusterProfile.fipsValidatedModules",
      });
      assert.equal(theWorld().created.first?.status, 201);
      const { body: first } = await service.arm.get(service.cluster("first"));
      assert.equal(first.properties.clusterProfile.fipsValidatedModules, "Disabled");
    },
  },
  {
    id: "api 3",
    what: "an empty outbound type means a load balancer with one address",
    async run(service) {
      const { body } = await service.arm.get(service.cluster("gone"));
      const { outboundType, loadBalancerProfile } = body.properties.networkProfile;
      assert.deepEqual([outboundType, loadBalancerProfile.managedOutboundIps.count], ["Loadbalancer", 1]);
    },
  },
  {
    id: "api 4",
    what: "an unknown API version is refused",
    async run(service) {
      const response = await service.arm.put(service.cluster("x", "1999-01-01"), {});
      assertRefused(response, { code: "InvalidResourceType" });
    },
  },
  {
    id: "api 5",
    what: "an unregistered subscription has no clusters",
    async run(service) {
      const path = service.cluster("main").replace(service.subscriptionId, unknownSubscription);
      assertRefused(await service.arm.put(path, service.request("main")), {
        code: "InvalidSubscriptionState",
      });
    },
  },
  {
    id: "api 6",
    what: "a cluster that is being created takes no other request",
    async run() {
      const { put, delete: deleted } = theWorld().duringCreation;
      assert.ok(put && deleted);
      assertRefused(put, { code: "RequestNotAllowed", message: busy });
      assertRefused(deleted, { code: "RequestNotAllowed", message: busy });
    },
  },
  {
    id: "api 7",
    what: "a cluster whose creation failed can only be deleted",
    async run(service) {
      const [name = ""] = failing;
      const path = service.cluster(name);
      assertRefused(await service.arm.patch(path, {}), {
        code: "RequestNotAllowed",
        message: failedCreation,
      });
      const deleted = await service.arm.delete(path);
      assertStatus(deleted, 202);
      assert.equal(deleted.text, "");
      assert.match(String(deleted.headers.location), /operationresults/);
      assert.equal((await service.settle(deleted)).status, "Succeeded");
      assertStatus(await service.arm.delete(path), 204);
    },
  },
  {
    id: "api 8",
    what: "PATCH replaces tags whole, null clears them, and nothing keeps them",
    async run(service) {
      const cases = [
        { body: { tags: { a: "b" } }, tags: { a: "b" } },
        { body: {}, tags: { a: "b" } },
        { body: { tags: null }, tags: undefined },
      ];
      for (const { body, tags } of cases) {
        const { response, operation } = await service.update("main", body);
        assertStatus(response, 200);
        assert.equal(response.body.properties.provisioningState, "Updating");
        assert.deepEqual(response.body.tags, tags);
        assert.equal(operation.status, "Succeeded");
      }
    },
  },
  {
    id: "api 9",
    what: "workers are not scaled by PATCH in the newest version",
    async run(service) {
      const response = await service.arm.patch(service.cluster("main"), {
        properties: { workerProfiles: [{ name: "worker", count: 4 }] },
      });
      assertRefused(response, {
        code: "PropertyChangeNotAllowed",
        target: "properties.workerProfiles['worker'].count",
        message: "Changing property 'properties.workerProfiles['worker'].count' is not allowed.",
      });
    },
  },
  {
    id: "api 10",
    what: "outbound addresses are counted by the versions that know them",
    async run(service) {
      const counted = (count: number) => ({
        properties: { networkProfile: { loadBalancerProfile: { managedOutboundIps: { count } } } },
      });
      for (const [version, count] of [
        ["2023-11-22", 7],
        [newest, 2],
      ] as const) {
        const { response, operation } = await service.update("main", counted(count), version);
        assertStatus(response, 200);
        assert.equal(operation.status, "Succeeded", JSON.stringify(operation));
      }
      const ignored = await service.update("main", counted(9), "2023-09-04");
      assertStatus(ignored.response, 200);
      const { body } = await service.arm.get(service.cluster("main"));
      const { managedOutboundIps, effectiveOutboundIps } = body.properties.networkProfile.loadBalancerProfile;
      assert.equal(managedOutboundIps.count, 2);
      assert.equal(effectiveOutboundIps.length, 2);
    },
  },
  {
    id: "api 11",
    what: "an unchanged address is refused by the newest version and tolerated by older ones",
    async run(service) {
      const { body } = await service.arm.get(service.cluster("main"));
      const echo = { properties: { apiserverProfile: { ip: body.properties.apiserverProfile.ip } } };
      assert.ok(echo.properties.apiserverProfile.ip);
      assertRefused(await service.arm.patch(service.cluster("main"), echo), {
        code: "PropertyChangeNotAllowed",
        target: "properties.apiserverProfile.ip",
      });
      const older = await service.update("main", echo, "2023-09-04");
      assertStatus(older.response, 200);
    },
  },
  {
    id: "api 12",
    what: "an ID in other case is the same, and stays as it was",
    async run(service) {
      const { response } = await service.update("main", { id: service.id("main").toUpperCase() });
      assertStatus(response, 200);
      assert.equal(response.body.id, service.id("main"));
      assert.equal((await service.arm.get(service.cluster("main"))).body.id, service.id("main"));
    },
  },
  {
    id: "api 16",
    what: "clusters share neither their application nor their resource group",
    async run(service) {
      const { body: main } = await service.arm.get(service.cluster("main"));
      const { clientId } = main.properties.servicePrincipalProfile;
      const sameClient = service.request("other", { properties: { servicePrincipalProfile: { clientId } } });
      assertRefused(await service.arm.put(service.cluster("other"), sameClient), {
        code: "DuplicateClientID",
        message: `The provided service principal with client ID '${clientId}' is already in use by a cluster.`,
      });
      const resourceGroupId = `/subscriptions/${service.subscriptionId}/resourceGroups/aro-main`;
      const sameGroup = service.request("other", { properties: { clusterProfile: { resourceGroupId } } });
      assertRefused(await service.arm.put(service.cluster("other"), sameGroup), {
        code: "DuplicateResourceGroup",
        message: `The provided resource group '${resourceGroupId.toLowerCase()}' already contains a cluster.`,
      });
    },
  },
  {
    id: "api 17",
    what: "credentials are listed when the cluster stands, by the versions that have them",
    async run(service) {
      const list = (action: string, version = newest) =>
        service.arm.post(service.cluster("main", version, `/${action}`));
      const { body } = await list("listCredentials");
      assert.equal(body.kubeadminUsername, "kubeadmin");
      assert.match(body.kubeadminPassword, /^(\w{5}-){3}\w{5}$/);
      assertRefused(await list("listAdminCredentials", "2020-04-30"), { code: "InvalidResourceType" });
      const admin = await list("listAdminCredentials");
      assertStatus(admin, 200);
      assert.match(
        Buffer.from(admin.body.kubeconfig, "base64").toString(),
        /^current-context: system:admin$/m,
      );
    },
  },
  {
    id: "api 19",
    what: "versions are listed from 2022-09-04 on; a disabled one vanishes",
    async run(service) {
      assertRefused(await service.arm.get(service.regional("openShiftVersions", "2022-04-01")), {
        code: "InvalidResourceType",
      });
      const version = "4.18.77";
      const properties = {
        version,
        openShiftPullspec: "a",
        installerPullspec: "b",
        machineImages,
        enabled: true,
        default: false,
      };
      assertStatus(await service.admin.put("/admin/versions", { properties }), 201);
      const listed = async () => {
        const { body } = await service.arm.get(service.regional("openShiftVersions"));
        return body.value.some(
          (each: { properties: { version: string } }) => each.properties.version === version,
        );
      };
      await until(listed);
      const disabled = { properties: { ...properties, enabled: false } };
      assertStatus(await service.admin.put("/admin/versions", disabled), 200);
      await until(async () => !(await listed()));
    },
  },
  {
    id: "api 20",
    what: "without a version it is the default, and an unlisted one is refused",
    async run(service) {
      assert.match(theWorld().created.main?.body.properties.clusterProfile.version, /^4\.\d+\.\d+$/);
      const body = service.request("other", { properties: { clusterProfile: { version: "4.1.1" } } });
      assertRefused(await service.arm.put(service.cluster("other"), body), {
        code: "InvalidParameter",
        target: "properties.clusterProfile.version",
        message: "The requested OpenShift version '4.1.1' is invalid.",
      });
    },
  },
  {
    id: "api 21",
    what: "new sizes of machines need a new OpenShift",
    async run(service) {
      const size = (version: string) =>
        service.request("other", {
          properties: { clusterProfile: { version }, masterProfile: { vmSize: "Standard_D8s_v6" } },
        });
      for (const version of ["4.18.76", "4.19.0"]) {
        const properties = {
          version,
          openShiftPullspec: "a",
          installerPullspec: "b",
          machineImages,
          enabled: true,
        };
        await service.admin.put("/admin/versions", { properties });
      }
      assertRefused(await service.arm.put(service.cluster("other"), size("4.18.76")), {
        code: "InvalidParameter",
        target: "properties.masterProfile.vmSize",
        message: "The provided master VM size 'Standard_D8s_v6' is invalid for the chosen OpenShift version.",
      });
      await until(async () => {
        const { body } = await service.arm.get(service.regional("openShiftVersions/4.19.0"));
        return body.name === "4.19.0";
      });
      const resource = { ...size("4.19.0"), apiVersion: newest, id: service.id("other"), name: "other" };
      const type = "Microsoft.RedHatOpenShift/openShiftClusters";
      const preflight = await service.arm.post(
        `/subscriptions/${service.subscriptionId}/resourceGroups/other/providers/Microsoft.RedHatOpenShift/deployments/d/preflight?api-version=${newest}`,
        { resources: [{ ...resource, type }] },
      );
      assert.deepEqual(preflight.body, { status: "Succeeded" });
    },
  },
  {
    id: "api 22",
    what: "pods stay out of OVN-Kubernetes' own addresses; clusters that have them stay patchable",
    async run(service) {
      const body = service.request("other", { properties: { networkProfile: { podCidr: "100.64.0.0/16" } } });
      assertRefused(await service.arm.put(service.cluster("other"), body), {
        code: "InvalidCIDRRange",
        target: "properties.networkProfile",
        message:
          "Azure Red Hat OpenShift uses 100.64.0.0/16, 169.254.169.0/29, and 100.88.0.0/16 IP address ranges internally. Do not include this '100.64.0.0/16' IP address range in any other CIDR definitions in your cluster.",
      });
      const { response, operation } = await service.update("plugin", { tags: { still: "patchable" } });
      assertStatus(response, 200);
      assert.equal(response.body.properties.networkProfile.podCidr, "100.64.0.0/14");
      assert.equal(operation.status, "Succeeded", JSON.stringify(operation));
    },
  },
  {
    id: "api 23",
    what: "a subscription is kept as it came, without its owner's address",
    async run(service) {
      const path = `/subscriptions/${randomUUID()}?api-version=2.0`;
      const properties = { tenantId: service.endpoints.tenantId, ofTomorrow: [{ deep: 1 }] };
      const owned = { ...properties, accountOwner: { email: "owner@example.org", other: "kept" } };
      const { status, text, body } = await service.arm.put(path, {
        state: "Registered",
        properties: owned,
        more: 1,
      });
      assert.equal(status, 201);
      assert.doesNotMatch(text, /owner@example/);
      assert.equal(body.more, 1);
      assert.deepEqual(body.properties.ofTomorrow, [{ deep: 1 }]);
      assert.equal(body.properties.accountOwner.other, "kept");
    },
  },
  {
    id: "api 24",
    what: "preflight reports faults with status 200",
    async run(service) {
      const resource = {
        ...service.request("other", { properties: { masterProfile: { vmSize: "Standard_None" } } }),
        apiVersion: newest,
        id: service.id("other"),
        name: "other",
        type: "Microsoft.RedHatOpenShift/openShiftClusters",
      };
      const path = `/subscriptions/${service.subscriptionId}/resourceGroups/other/providers/Microsoft.RedHatOpenShift/deployments/d/preflight?api-version=${newest}`;
      const { status, body } = await service.arm.post(path, { resources: [resource] });
      assert.deepEqual([status, body.status], [200, "Failed"]);
      assert.match(body.error.message, /^400: InvalidParameter: properties.masterProfile.vmSize: /);
    },
  },
  {
    id: "api 25",
    what: "administrators alone begin maintenance, after which the cluster is as it was",
    async run(service) {
      const path = service.cluster("main", "admin");
      assertRefused(await service.arm.patch(path, {}), { status: 403, code: "Forbidden" });
      const begun = await service.admin.patch(path, {});
      assertStatus(begun, 200);
      const { provisioningState, maintenanceState } = begun.body.properties;
      assert.deepEqual([provisioningState, maintenanceState], ["AdminUpdating", "Unplanned"]);
      assert.equal((await service.settle(begun)).status, "Succeeded");
      const { body } = await service.admin.get(path);
      assert.deepEqual(
        [body.properties.provisioningState, body.properties.maintenanceState],
        ["Succeeded", "None"],
      );
    },
  },
  {
    id: "api 26",
    what: "operator flags are reset to their defaults before they are changed, if so wished",
    async run(service) {
      const path = service.cluster("main", "admin");
      const flags = (operatorFlagsMergeStrategy: string) => ({
        operatorFlagsMergeStrategy,
        properties: { operatorFlags: { "aro.banner.enabled": "true" }, maintenanceTask: "OperatorUpdate" },
      });
      const { body: before } = await service.admin.get(path);
      const defaults = before.properties.operatorFlags;
      assert.equal(defaults["aro.dnsmasq.enabled"], "true");
      const changed = await service.admin.patch(path, {
        properties: { operatorFlags: { "aro.dnsmasq.enabled": "false" }, maintenanceTask: "None" },
      });
      assert.deepEqual(changed.body.properties.operatorFlags, {
        ...defaults,
        "aro.dnsmasq.enabled": "false",
      });
      const response = await service.admin.patch(path, flags("reset"));
      assertStatus(response, 200);
      assert.deepEqual(response.body.properties.operatorFlags, { ...defaults, "aro.banner.enabled": "true" });
      await service.settle(response);
      const refused = await service.admin.patch(path, flags("x"));
      assertRefused(refused, {
        code: "InvalidParameter",
        message: "invalid operatorFlagsMergeStrategy 'x', can only be 'merge' or 'reset'",
      });
    },
  },
  {
    id: "api 27",
    what: "the operations are eleven, whatever the API version",
    async run(service) {
      for (const version of [newest, firstVersion, "nonsense"]) {
        const path = `/providers/Microsoft.RedHatOpenShift/operations?api-version=${version}`;
        const { body } = await service.arm.get(path);
        assert.equal(body.value.length, 11);
      }
    },
  },
  {
    id: "api 29",
    what: "bodies are at most a mebibyte, and JSON",
    async run(service) {
      const path = service.cluster("other");
      assertRefused(await service.arm.put(path, "x".repeat(1_048_577)), {
        code: "InvalidResource",
        message: "The resource definition is invalid.",
      });
      assertRefused(await service.arm.put(path, "{}", { "content-type": "text/plain" }), {
        status: 415,
        code: "UnsupportedMediaType",
      });
    },
  },
  {
    id: "api 30",
    what: "a list has pages of ten, and a link to the next",
    async run(service) {
      const path = `/subscriptions/${service.subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters?api-version=${newest}`;
      const { body: first } = await service.arm.get(path);
      assert.equal(first.value.length, 10);
      assert.match(first.nextLink, /%24skipToken=/);
      const { body: second } = await service.arm.get(first.nextLink);
      assert.ok(second.value.length >= 1);
      assert.equal(second.nextLink, undefined);
      const ids = [...first.value, ...second.value].map((each: { id: string }) => each.id);
      assert.equal(new Set(ids).size, ids.length);
    },
  },
];
