import assert from "node:assert/strict";
import { randomUUID, X509Certificate } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Check } from "../support/check.ts";
import { assertRefused, assertStatus } from "../support/expect.ts";
import { newest, type Service, unknownSubscription } from "../support/service.ts";
import { failing, theWorld } from "../support/world.ts";

const operations = "/providers/Microsoft.RedHatOpenShift/operations";
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const forbidden = { status: 403, code: "Forbidden", message: "Forbidden." };

/** Checks of the frontend's HTTP interface. */
export const frontendChecks: readonly Check[] = [
  {
    id: "frontend 1",
    what: "without a certificate only readiness answers",
    async run({ stranger }) {
      assertRefused(await stranger.get(operations), forbidden);
      const ready = await stranger.get("/healthz/ready");
      assert.deepEqual([ready.status, ready.body], [200, {}]);
    },
  },
  {
    id: "frontend 2",
    what: "the admin API is the administrators', and they have no other",
    async run(service) {
      const { arm, admin } = service;
      for (const path of ["/admin/versions", "//admin/versions"]) {
        assertRefused(await arm.get(path), forbidden);
        assertStatus(await admin.get(path), 200);
      }
      assertRefused(await admin.get(service.cluster("main")), forbidden);
    },
  },
  {
    id: "frontend 3",
    what: "operations need no API version that exists",
    async run({ arm }) {
      const { status, body } = await arm.get(`${operations}?api-version=nonsense`);
      const names = body.value.map(({ name }: { name: string }) =>
        name.slice("Microsoft.RedHatOpenShift/".length),
      );
      assert.equal(status, 200);
      assert.deepEqual(names.sort(), [
        "locations/listPlatformWorkloadIdentityRoleSets/read",
        "locations/openshiftVersions/read",
        "locations/operationresults/read",
        "locations/operationsstatus/read",
        "openShiftClusters/delete",
        "openShiftClusters/detectors/read",
        "openShiftClusters/listAdminCredentials/action",
        "openShiftClusters/listCredentials/action",
        "openShiftClusters/read",
        "openShiftClusters/write",
        "operations/read",
      ]);
    },
  },
  {
    id: "frontend 4",
    what: "a cluster is not read in an API version that does not exist",
    async run(service) {
      assertRefused(await service.arm.get(service.cluster("main", "1999-01-01")), {
        code: "InvalidResourceType",
        message:
          "The resource type 'openshiftclusters' could not be found in the namespace 'microsoft.redhatopenshift' for api version '1999-01-01'.",
      });
    },
  },
  {
    id: "frontend 5",
    what: "every part of a path is checked",
    async run(service) {
      const path = service.cluster("main");
      const cases = [
        { path: path.replace(service.subscriptionId, "abc"), code: "InvalidSubscriptionID" },
        { path: path.replace("Microsoft.RedHatOpenShift", "Foo.Bar"), code: "InvalidResourceNamespace" },
        { path: service.regional("operationsstatus/x"), code: "InvalidOperationID" },
        { path: service.regional("openShiftVersions").replace("eastus", "moon"), code: "InvalidLocation" },
        { path: path.replace("openShiftClusters", "closedShiftClusters"), code: "InvalidResourceType" },
      ];
      for (const { path: wrong, code } of cases) assertRefused(await service.arm.get(wrong), { code });
    },
  },
  {
    id: "frontend 6",
    what: "a body has its limits",
    async run(service) {
      assertRefused(await service.arm.put(service.cluster("x"), " ".repeat(1_048_577)), {
        code: "InvalidResource",
      });
      assertRefused(await service.arm.put(service.cluster("x"), "x", { "content-type": "text/plain" }), {
        status: 415,
        code: "UnsupportedMediaType",
        message:
          "The content media type 'text/plain' is not supported. Only 'application/json' is supported.",
      });
    },
  },
  {
    id: "frontend 7",
    what: "requests have IDs",
    async run({ arm }) {
      const id = randomUUID();
      const echoed = await arm.get(operations, {
        "x-ms-client-request-id": id,
        "x-ms-return-client-request-id": "true",
      });
      assert.equal(echoed.headers["x-ms-client-request-id"], id);
      const silent = await arm.get(operations, { "x-ms-client-request-id": id });
      assert.equal(silent.headers["x-ms-client-request-id"], undefined);
      const ids = [echoed, silent].map(({ headers }) => String(headers["x-ms-request-id"]));
      for (const each of ids) assert.match(each, uuid);
      assert.notEqual(ids[0], ids[1]);
    },
  },
  {
    id: "frontend 8",
    what: "subscriptions come, change and go for good",
    async run(service) {
      const { arm } = service;
      assertRefused(
        await arm.put(service.cluster("main").replace(service.subscriptionId, unknownSubscription), {}),
        {
          code: "InvalidSubscriptionState",
          message: `Request is not allowed in unregistered subscription '${unknownSubscription}'.`,
        },
      );
      const id = randomUUID();
      const put = (state: string) =>
        arm.put(`/subscriptions/${id}?api-version=2.0`, { state, properties: { tenantId: id } });
      assertStatus(await put("Registered"), 201);
      assertStatus(await put("Registered"), 200);
      assertRefused(await put("Bogus"), {
        code: "InvalidParameter",
        target: "state",
        message: "The provided state 'Bogus' is invalid.",
      });
      assertStatus(await put("Deleted"), 200);
      assertRefused(await put("Registered"), {
        code: "InvalidSubscriptionState",
        message: "Request is not allowed in subscription in state 'Deleted'.",
      });
    },
  },
  {
    id: "frontend 9",
    what: "the body of the command line's create is enough, and links go where the caller came from",
    async run() {
      const { main } = theWorld().created;
      assert.ok(main);
      assertStatus(main, 201);
      const { version, resourceGroupId } = main.body.properties.clusterProfile;
      assert.match(version, /^4\.\d+\.\d+$/);
      assert.equal(resourceGroupId, resourceGroupId.toLowerCase());
      const url = new URL(String(main.headers["azure-asyncoperation"]));
      assert.equal(url.host, "management.example.org");
      assert.equal(url.search, `?api-version=${newest}`);
      assert.match(
        url.pathname,
        /^\/subscriptions\/[0-9a-f-]{36}\/providers\/microsoft\.redhatopenshift\/locations\/eastus\/operationsstatus\/[0-9a-f-]{36}$/,
      );
      assert.match(String(main.headers["retry-after"]), /^\d+$/);
    },
  },
  {
    id: "frontend 10",
    what: "while a cluster is created it takes nothing else",
    async run() {
      const message = "Request is not allowed in provisioningState 'Creating'.";
      const { put, patch, delete: deleted, listCredentials } = theWorld().duringCreation;
      for (const response of [put, patch, deleted, listCredentials]) {
        assert.ok(response);
        assertRefused(response, { code: "RequestNotAllowed", message });
      }
    },
  },
  {
    id: "frontend 11",
    what: "an operation reports its state, and never succeeds before its cluster",
    async run(service) {
      const { status } = theWorld().duringCreation;
      assert.equal(status?.body.status, "Creating");
      assert.equal(status?.body.endTime, undefined);
      const patched = await service.arm.patch(service.cluster("main"), {});
      assertStatus(patched, 200);
      const url = String(patched.headers["azure-asyncoperation"]);
      for (;;) {
        const operation = (await service.arm.get(url)).body;
        const { provisioningState } = (await service.arm.get(service.cluster("main"))).body.properties;
        if (operation.status === "Succeeded") {
          assert.equal(provisioningState, "Succeeded");
          assert.match(operation.endTime, /^\d{4}-\d{2}-\d{2}T/);
          return;
        }
        assert.equal(operation.status, "Updating");
        await delay(50);
      }
    },
  },
  {
    id: "frontend 12",
    what: "the result of an operation is the cluster, in its own subscription only",
    async run(service) {
      const { result } = theWorld().duringCreation;
      assert.ok(result);
      assertStatus(result, 202);
      assert.ok(result.headers.location);
      const url = String(theWorld().created.main?.headers["azure-asyncoperation"]);
      const done = await service.arm.get(url.replace("operationsstatus", "operationresults"));
      assert.deepEqual([done.status, done.body.name], [200, "main"]);
      for (const kind of ["operationsstatus", "operationresults"]) {
        const foreign = url
          .replace("operationsstatus", kind)
          .replace(service.subscriptionId, unknownSubscription);
        assertRefused(await service.arm.get(foreign), {
          status: 404,
          code: "NotFound",
          message: "The entity was not found.",
        });
      }
    },
  },
  {
    id: "frontend 13",
    what: "paths have no case, and IDs keep theirs",
    async run(service) {
      const path = service.id("main").toUpperCase();
      const { status, body } = await service.arm.get(`${path}?api-version=${newest}`);
      assert.deepEqual([status, body.id, body.name], [200, service.id("main"), "main"]);
    },
  },
  {
    id: "frontend 14",
    what: "no version shows what is secret",
    async run(service) {
      for (const version of [
        "2019-12-31-preview",
        "2021-09-01-preview",
        "2023-11-22",
        "2024-08-12-preview",
        newest,
      ]) {
        for (const path of [service.cluster("main", version), service.cluster("identities", version)]) {
          const { status, text } = await service.arm.get(path);
          assert.equal(status, 200);
          assert.doesNotMatch(text, /pullSecret|clientSecret|igningKey|adminKubeconfig|sshKey/, path);
        }
      }
    },
  },
  {
    id: "frontend 15",
    what: "a page's token is sealed",
    async run(service) {
      const path = `/subscriptions/${service.subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters?api-version=${newest}`;
      const { body } = await service.arm.get(path);
      const tampered = body.nextLink.replace(
        /(skipToken=.{12})(.)/,
        (_: string, before: string, character: string) => before + (character === "A" ? "B" : "A"),
      );
      assertRefused(await service.arm.get(tampered), { code: "InvalidParameter", target: "$skipToken" });
    },
  },
  {
    id: "frontend 16",
    what: "tags are replaced whole, and an empty update is one",
    async run(service) {
      await service.update("main", { tags: { b: "2" } });
      const replaced = await service.update("main", { tags: { a: "1" } });
      assert.deepEqual([replaced.response.status, replaced.response.body.tags], [200, { a: "1" }]);
      const { response } = await service.update("main", {});
      assert.deepEqual([response.status, response.body.properties.provisioningState], [200, "Updating"]);
    },
  },
  {
    id: "frontend 17",
    what: "the service's own members are refused by their path",
    async run(service) {
      const response = await service.arm.patch(service.cluster("main"), {
        properties: { clusterProfile: { oidcIssuer: "https://issuer.example.org/" } },
      });
      assertRefused(response, {
        code: "PropertyChangeNotAllowed",
        target: "properties.clusterProfile.oidcIssuer",
      });
    },
  },
  {
    id: "frontend 18",
    what: "who created a cluster stays, when another changes it",
    async run(service) {
      const response = await service.arm.patch(
        service.cluster("main"),
        {},
        {
          "x-ms-arm-resource-system-data": JSON.stringify({ lastModifiedBy: "other@example.org" }),
        },
      );
      assertStatus(response, 200);
      await service.settle(response);
      const { systemData } = (await service.arm.get(service.cluster("main"))).body;
      assert.deepEqual(
        [systemData.createdBy, systemData.createdByType, systemData.lastModifiedBy],
        ["someone@example.org", "User", "other@example.org"],
      );
    },
  },
  {
    id: "frontend 19",
    what: "a refused duplicate leaves no operation behind",
    async run(service) {
      const { body: main } = await service.arm.get(service.cluster("main"));
      const { clientId } = main.properties.servicePrincipalProfile;
      const body = service.request("other", { properties: { servicePrincipalProfile: { clientId } } });
      assertRefused(await service.arm.put(service.cluster("other"), body), { code: "DuplicateClientID" });
      const path = `/admin${service.id("other")}/operations?api-version=admin`;
      // The rejected request has stored neither a cluster nor an operation history.
      assertRefused(await service.admin.get(path), { status: 404, code: "ResourceNotFound" });
    },
  },
  {
    id: "frontend 20",
    what: "what Azure cannot give is said at once, and nothing is stored",
    async run(service) {
      const put = () => service.arm.put(service.cluster("other"), service.request("other"));
      const target = "properties.workerProfiles[0].VMSize";
      const { absent, restricted } = theWorld().beforeCreation;
      assert.ok(absent && restricted);
      assertRefused(absent, {
        code: "InvalidParameter",
        target,
        message: "The selected SKU 'Standard_L8s' is unavailable in region 'eastus'",
      });
      assertRefused(restricted, {
        code: "InvalidParameter",
        target,
        message:
          "The selected SKU 'Standard_L16s' is restricted in region 'eastus' for selected subscription",
      });
      const used = await service.azureUsage("Microsoft.Compute", "cores");
      const needed = 4 * 8 + 3 * 4;
      await service.changeAzure({ quotas: { eastus: { cores: used + needed - 1 } } });
      assertRefused(await put(), {
        code: "ResourceQuotaExceeded",
        message: `Resource quota of cores exceeded. Maximum allowed: ${used + needed - 1}, Current in use: ${used}, Additional requested: ${needed}.`,
      });
      await service.changeAzure({ quotas: null });
      await service.azure(
        "POST",
        `/subscriptions/${service.subscriptionId}/providers/Microsoft.Storage/unregister`,
      );
      assertRefused(await put(), {
        code: "ResourceProviderNotRegistered",
        message: "The resource provider 'Microsoft.Storage' is not registered.",
      });
      await service.azure(
        "POST",
        `/subscriptions/${service.subscriptionId}/providers/Microsoft.Storage/register`,
      );
      assertStatus(await service.arm.get(service.cluster("other")), 404);
    },
  },
  {
    id: "frontend 21",
    what: "what only the worker sees fails the operation, and the cluster can be deleted",
    async run(service) {
      const [, name = ""] = failing;
      const created = theWorld().created[name];
      assert.ok(created);
      assertStatus(created, 201);
      const operation = await service.settle(created);
      assert.deepEqual([operation.status, operation.error.code], ["Failed", "InvalidLinkedVNet"]);
      assert.match(operation.error.message, /^The provided CIDRs must not overlap: '/);
      assertRefused(await service.arm.put(service.cluster(name), service.request(name)), {
        code: "RequestNotAllowed",
        message: "Request is not allowed on cluster whose creation failed. Delete the cluster.",
      });
      const deleted = await service.arm.delete(service.cluster(name));
      assertStatus(deleted, 202);
      assert.equal((await service.settle(deleted)).status, "Succeeded");
    },
  },
  {
    id: "frontend 22",
    what: "a warned subscription may delete, and nothing else",
    async run(service) {
      const { arm } = service;
      assertStatus(await arm.delete(service.cluster("nothing")), 204);
      const put = (state: string) =>
        arm.put(`/subscriptions/${service.subscriptionId}?api-version=2.0`, {
          state,
          properties: { tenantId: service.endpoints.tenantId },
        });
      await put("Warned");
      try {
        const deleted = await arm.delete(service.cluster("gone"));
        assertStatus(deleted, 202);
        assertRefused(await arm.put(service.cluster("main"), {}), {
          code: "InvalidSubscriptionState",
          message: "Request is not allowed in subscription in state 'Warned'.",
        });
        assert.equal((await service.settle(deleted)).status, "Succeeded");
        const result = String(deleted.headers.location);
        assertStatus(await arm.get(result), 204);
        assertStatus(await arm.get(service.cluster("gone")), 404);
      } finally {
        await put("Registered");
      }
    },
  },
  {
    id: "frontend 23",
    what: "a listed kubeconfig is one that works",
    async run(service) {
      const { body } = await service.arm.post(service.cluster("main", newest, "/listAdminCredentials"));
      const text = Buffer.from(body.kubeconfig, "base64").toString();
      assert.match(text, /^current-context: system:admin$/m);
      const [, certificate = ""] = /client-certificate-data"?: "?([A-Za-z0-9+/=]+)/.exec(text) ?? [];
      const { subject } = new X509Certificate(Buffer.from(certificate, "base64"));
      assert.match(subject, /CN=system:admin/);
      assert.equal(await service.nodeCount(text), 6);
    },
  },
  {
    id: "frontend 25",
    what: "preflight answers 200 whatever it gets",
    async run(service) {
      const path = `/subscriptions/${service.subscriptionId}/resourceGroups/other/providers/Microsoft.RedHatOpenShift/deployments/d/preflight?api-version=${newest}`;
      const resource = (changes: object, apiVersion = newest) => ({
        ...service.request("other", { properties: { ...changes } }),
        ...{ apiVersion, id: service.id("other"), name: "other" },
        type: "Microsoft.RedHatOpenShift/openShiftClusters",
      });
      const valid = await service.arm.post(path, { resources: [resource({})] });
      assert.deepEqual([valid.status, valid.body], [200, { status: "Succeeded" }]);
      const wrong: readonly (object | string)[] = [
        { resources: [resource({ clusterProfile: { domain: "-" } })] },
        { resources: [resource({}, "1999-01-01")] },
        "{",
      ];
      for (const body of wrong) {
        const response = await service.arm.post(path, body);
        assert.deepEqual([response.status, response.body.status], [200, "Failed"], response.text);
        assert.ok(response.body.error.message.length > 0);
      }
    },
  },
  {
    id: "frontend 26",
    what: "one of two concurrent updates runs, and the other is rejected",
    async run(service) {
      const patch = (name: string) => service.arm.patch(service.cluster("main"), { tags: { name } });
      const both = async () => {
        const responses = await Promise.all([patch("a"), patch("b")]);
        return responses.toSorted((a, b) => a.status - b.status);
      };
      let [done, late] = await both();
      // The service retries the request 100 ms after a conflict. By then, the first update may have completed, so the second one
      // can succeed too.
      while (done && late?.status === 200) {
        await Promise.all([service.settle(done), service.settle(late)]);
        [done, late] = await both();
      }
      assert.ok(done && late);
      assertStatus(done, 200);
      assertRefused(late, {
        code: "RequestNotAllowed",
        message: "Request is not allowed in provisioningState 'Updating'.",
      });
      await service.settle(done);
      const { tags } = (await service.arm.get(service.cluster("main"))).body;
      assert.deepEqual(tags, done.body.tags);
      assert.match(tags.name, /^[ab]$/);
    },
  },
  {
    id: "frontend 27",
    what: "announced maintenance is planned maintenance",
    async run(service) {
      const path = service.cluster("main", "admin");
      const announced = await service.admin.patch(path, { properties: { maintenanceTask: "Pending" } });
      const { provisioningState, maintenanceState } = announced.body.properties;
      assert.deepEqual(
        [announced.status, provisioningState, maintenanceState],
        [200, "Succeeded", "Pending"],
      );
      const begun = await service.admin.patch(path, {});
      assert.deepEqual(
        [begun.body.properties.provisioningState, begun.body.properties.maintenanceState],
        ["AdminUpdating", "Planned"],
      );
      assert.equal((await service.settle(begun)).status, "Succeeded");
      assert.equal((await service.admin.get(path)).body.properties.maintenanceState, "None");
    },
  },
];

/** Checks that stop the service. They must run last. */
export const lastChecks: readonly Check[] = [
  {
    id: "frontend 30e",
    what: "a stopping service is not ready, and still serves",
    async run(service: Service) {
      service.program.child.kill("SIGTERM");
      const deadline = performance.now() + 10_000;
      for (;;) {
        const ready = await service.stranger.get("/healthz/ready");
        if (ready.status === 500) break;
        assert.ok(performance.now() < deadline, "still ready");
        await delay(20);
      }
      assertStatus(await service.arm.get(service.cluster("main")), 200);
    },
  },
];
