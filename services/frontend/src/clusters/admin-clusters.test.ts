import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { remove, replace } from "@keelson/database";
import type { ClusterProperties } from "@keelson/model";
import { defaultOperatorFlags } from "@keelson/model";
import { type FrontendWithCallers, startFrontendWithCallers } from "../testing/callers.ts";
import { captureLog } from "../testing/captured-log.ts";
import { type ClusterAddress, clusterBody, current } from "../testing/cluster-request.ts";
import { assertError, createCluster, newAddress, newCluster, setSubscription } from "../testing/clusters.ts";
import { operationsOf, secrets, storedCluster, succeed } from "../testing/fake-worker.ts";

const log = captureLog();
const signal = new AbortController().signal;
let frontend: FrontendWithCallers;
before(async () => {
  frontend = await startFrontendWithCallers(log.logger);
});
after(() => frontend[Symbol.asyncDispose]());

const adminUrl = ({ id }: ClusterAddress) => `${id}?api-version=admin`;
const patch = (address: ClusterAddress, body: object | string) =>
  frontend.admin.patch(adminUrl(address), body);
const properties = async (address: ClusterAddress) =>
  (await storedCluster(frontend.database, address)).document.openShiftCluster.properties;

/** Writes cluster properties that normally only the service sets. */
async function change(address: ClusterAddress, changed: Partial<ClusterProperties>): Promise<void> {
  const { database } = frontend;
  const stored = await storedCluster(database, address);
  const { openShiftCluster } = stored.document;
  const document = {
    ...stored.document,
    openShiftCluster: { ...openShiftCluster, properties: { ...openShiftCluster.properties, ...changed } },
  };
  const write = replace(database.collections.clusters, stored, document);
  const result = await database.commit(address.subscriptionId, [write], { signal });
  assert.equal(result.kind, "committed");
}

describe("authorization", () => {
  test("the version admin is for administrators, the others are for Azure Resource Manager", async () => {
    const address = await newCluster(frontend);
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      assertError(await frontend.client.send(method, adminUrl(address), { body: {} }), 403, "Forbidden");
      assertError(await frontend.admin.send(method, address.url, { body: {} }), 403, "Forbidden");
    }
    assert.equal((await frontend.client.get(address.url)).status, 200);
    assert.equal((await frontend.admin.get(adminUrl(address))).status, 200);
  });

  test("the routes below /admin are for administrators, however their path is written", async () => {
    for (const path of ["/admin/versions", "//admin/versions", "/Admin//versions/", "/%61dmin/versions"]) {
      assertError(await frontend.client.get(path), 403, "Forbidden");
      assert.equal((await frontend.admin.get(path)).status, 200, path);
    }
  });

  test("only Azure Resource Manager announces the states of subscriptions", async () => {
    const { subscriptionId } = await newAddress(frontend);
    const url = `/subscriptions/${subscriptionId}?api-version=`;
    const body = { state: "Deleted" };
    for (const version of ["admin", "Admin", "2.0"]) {
      assertError(await frontend.admin.put(url + version, body), 403, "Forbidden");
    }
    assertError(await frontend.client.put(`${url}admin`, body), 403, "Forbidden");
    assert.equal((await frontend.client.put(`${url}2.0`, { state: "Warned" })).status, 200);
  });

  test("credentials are only for customers", async () => {
    const address = await newCluster(frontend);
    for (const action of ["listCredentials", "listAdminCredentials"]) {
      const refused = await frontend.admin.post(`${address.id}/${action}?api-version=admin`);
      assertError(refused, 400, "InvalidResourceType");
    }
  });
});

describe("GET", () => {
  test("shows properties that customers do not see, but no secret and no systemData", async () => {
    const address = await newCluster(frontend);
    await change(address, { infraId: "demo-abcde", storageSuffix: "xyz", lastAdminUpdateError: "earlier" });
    const response = await frontend.admin.get(adminUrl(address));
    assert.equal(response.status, 200);
    const { properties: shown } = JSON.parse(response.text);
    assert.equal(shown.architectureVersion, 1);
    assert.equal(shown.infraId, "demo-abcde");
    assert.equal(shown.storageSuffix, "xyz");
    assert.equal(shown.lastAdminUpdateError, "earlier");
    assert.equal(shown.createdBy, "test");
    assert.deepEqual(shown.operatorFlags, defaultOperatorFlags);
    assert.equal(response.json.systemData, undefined);
    for (const secret of [...Object.values(secrets), "client-secret-of-the-test"])
      assert.ok(!response.text.includes(secret));
    const customers = await frontend.client.get(address.url);
    for (const member of ["infraId", "operatorFlags", "lastAdminUpdateError", "createdBy"])
      assert.ok(!customers.text.includes(`"${member}": `), member);
  });
});

describe("PUT", () => {
  test("creates no cluster", async () => {
    const address = await newAddress(frontend);
    const response = await frontend.admin.put(adminUrl(address), clusterBody(address));
    assertError(response, 400, "RequestNotAllowed", "Admin API does not allow cluster creation.");
    assert.equal((await frontend.client.get(address.url)).status, 404);
  });
});

describe("PATCH", () => {
  test("with an empty body requests all maintenance", async () => {
    const address = await newCluster(frontend);
    await change(address, { lastAdminUpdateError: "earlier" });
    const response = await patch(address, {});
    assert.equal(response.status, 200, response.text);
    assert.match(
      `${response.headers["azure-asyncoperation"]}`,
      /operationsstatus\/[-0-9a-f]{36}\?api-version=admin/,
    );
    const { provisioningState, maintenanceTask, maintenanceState } = JSON.parse(response.text).properties;
    assert.deepEqual(
      [provisioningState, maintenanceTask, maintenanceState],
      ["AdminUpdating", "Everything", "Unplanned"],
    );
    const stored = await properties(address);
    assert.equal(stored.lastProvisioningState, "Succeeded");
    assert.equal(stored.lastAdminUpdateError, undefined);

    const url = new URL(`${response.headers["azure-asyncoperation"]}`);
    const status = await frontend.admin.get(url.pathname + url.search);
    assert.deepEqual([status.status, status.json.status], [200, "AdminUpdating"]);
    assertError(await patch(address, {}), 400, "RequestNotAllowed");
    assertError(
      await frontend.client.patch(address.url, {}),
      400,
      "RequestNotAllowed",
      "Request is not allowed in provisioningState 'AdminUpdating'.",
    );
  });

  for (const task of ["OperatorUpdate", "CertificatesRenewal", "SyncClusterObject", "MigrateLoadBalancer"]) {
    test(`queues ${task}, planned if its owner was notified before`, async () => {
      const address = await newCluster(frontend);
      assert.equal((await patch(address, { properties: { maintenanceTask: "Pending" } })).status, 200);
      const response = await patch(address, { properties: { maintenanceTask: task } });
      assert.equal(response.status, 200, response.text);
      const stored = await properties(address);
      assert.deepEqual(
        [stored.provisioningState, stored.maintenanceTask, stored.maintenanceState],
        ["AdminUpdating", task, "Planned"],
      );
    });
  }

  for (const word of ["Pending", "None", "CustomerActionNeeded"]) {
    test(`with ${word} notifies the owner, and leaves the cluster idle`, async () => {
      const address = await newCluster(frontend);
      const before = await operationsOf(frontend.database, address.subscriptionId);
      const response = await patch(address, { properties: { maintenanceTask: word } });
      assert.equal(response.status, 200, response.text);
      assert.equal(response.headers["azure-asyncoperation"], undefined);
      const stored = await properties(address);
      assert.deepEqual(
        [stored.provisioningState, stored.maintenanceTask, stored.maintenanceState],
        ["Succeeded", undefined, word],
      );
      assert.deepEqual(await operationsOf(frontend.database, address.subscriptionId), before);
      const { asyncOperationId } = (await storedCluster(frontend.database, address)).document;
      assert.equal(asyncOperationId, undefined);
    });
  }

  const refused = [
    [{ properties: { maintenanceTask: "Dance" } }, "properties.maintenanceTask", "Invalid enum parameter."],
    [
      { operatorFlagsMergeStrategy: "x", properties: { operatorFlags: { a: "b" } } },
      undefined,
      "invalid operatorFlagsMergeStrategy 'x', can only be 'merge' or 'reset'",
    ],
    [
      { properties: { networkProfile: { outboundType: "Carrier pigeons" } } },
      "properties.networkProfile.outboundType",
      "The provided outboundType 'Carrier pigeons' is invalid: must be UserDefinedRouting or Loadbalancer.",
    ],
  ] as const;
  for (const [body, target, message] of refused) {
    test(`is refused: ${message}`, async () => {
      const address = await newCluster(frontend);
      const response = await patch(address, body);
      assertError(response, 400, "InvalidParameter", message);
      assert.equal(response.error.target, target);
    });
  }

  const immutable = [
    [{ tags: { a: "b" } }, "tags"],
    [{ properties: { infraId: "other" } }, "properties.infraId"],
    [{ properties: { maintenanceState: "None" } }, "properties.maintenanceState"],
    [{ properties: { lastProvisioningState: "Failed" } }, "properties.lastProvisioningState"],
    [
      { properties: { servicePrincipalProfile: { clientId: "00000000-0000-4000-8000-000000000009" } } },
      "properties.servicePrincipalProfile.clientId",
    ],
    [
      { properties: { networkProfile: { loadBalancerProfile: { managedOutboundIps: { count: 3 } } } } },
      "properties.networkProfile.loadBalancerProfile.managedOutboundIps.count",
    ],
    [{ properties: { workerProfiles: [{ count: 9 }] } }, "properties.workerProfiles['worker'].count"],
  ] as const;
  for (const [body, target] of immutable) {
    test(`does not change ${target}`, async () => {
      const address = await newCluster(frontend);
      const message = `Changing property '${target}' is not allowed.`;
      assertError(await patch(address, body), 400, "PropertyChangeNotAllowed", message, target);
    });
  }

  test("all properties that an administrator may not change are reported", async () => {
    const address = await newCluster(frontend);
    const { error } = await patch(address, {
      location: "westeurope",
      properties: { clusterProfile: { domain: "other" }, maintenanceTask: "x" },
    });
    const details: readonly unknown[] = Array.isArray(error.details) ? error.details : [];
    const targets = new Set(details.map((each) => Object(each).target));
    for (const target of ["location", "properties.clusterProfile.domain", "properties.maintenanceTask"]) {
      assert.ok(targets.has(target), target);
    }
    const { details: _, ...itself } = error;
    assert.deepEqual(itself, details[0]);
  });

  test("merges operator flags into the stored ones, or into the defaults", async () => {
    const address = await newCluster(frontend);
    await patch(address, { properties: { operatorFlags: { "aro.environment": "1" } } });
    assert.deepEqual((await properties(address)).operatorFlags, {
      ...defaultOperatorFlags,
      "aro.environment": "1",
    });
    await succeed(frontend.database, address);
    await patch(address, {
      operatorFlagsMergeStrategy: "merge",
      properties: { operatorFlags: { "aro.guardrails.namespace": "2", "aro.banner.enabled": "true" } },
    });
    const merged = {
      ...defaultOperatorFlags,
      "aro.environment": "1",
      "aro.guardrails.namespace": "2",
      "aro.banner.enabled": "true",
    };
    assert.deepEqual((await properties(address)).operatorFlags, merged);
    await succeed(frontend.database, address);
    await patch(address, {
      operatorFlagsMergeStrategy: "reset",
      properties: { operatorFlags: { "aro.dnsmasq.enabled": "false" } },
    });
    assert.deepEqual((await properties(address)).operatorFlags, {
      ...defaultOperatorFlags,
      "aro.dnsmasq.enabled": "false",
    });
    const { document } = await storedCluster(frontend.database, address);
    assert.ok(!JSON.stringify(document).includes("operatorFlagsMergeStrategy"));
  });

  test("rejects unknown operator flags and invalid values, and keeps the stored ones", async () => {
    const address = await newCluster(frontend);
    const stored = { ...defaultOperatorFlags, "aro.left.over": "x" };
    await change(address, { operatorFlags: stored });
    const response = await patch(address, {
      properties: { operatorFlags: { "aro.baner.enabled": "true", "aro.cpms.enabled": "1" } },
    });
    assert.equal(response.status, 400);
    const details: readonly unknown[] = Array.isArray(response.error.details) ? response.error.details : [];
    assert.deepEqual(details, [
      {
        code: "InvalidParameter",
        message: "invalid value '1' of operator flag 'aro.cpms.enabled', can only be 'true' or 'false'",
        target: "properties.operatorFlags['aro.cpms.enabled']",
      },
      {
        code: "InvalidParameter",
        message: "unknown operator flag 'aro.baner.enabled', did you mean 'aro.banner.enabled'?",
        target: "properties.operatorFlags['aro.baner.enabled']",
      },
    ]);
    assert.deepEqual((await properties(address)).operatorFlags, stored);
    await patch(address, {
      properties: { operatorFlags: { "aro.left.over": "x", "aro.cpms.enabled": "true" } },
    });
    assert.deepEqual((await properties(address)).operatorFlags, { ...stored, "aro.cpms.enabled": "true" });
  });

  test("changes only administrators' properties, and reverts them", async () => {
    const address = await newCluster(frontend);
    const before = (await storedCluster(frontend.database, address)).document.openShiftCluster;
    const wanted = { operatorVersion: "v1", featureProfile: { gatewayEnabled: true } };
    assert.equal((await patch(address, { properties: wanted })).status, 200);
    await succeed(frontend.database, address);
    const shown = JSON.parse((await frontend.admin.get(adminUrl(address))).text).properties;
    assert.deepEqual([shown.operatorVersion, shown.featureProfile], ["v1", { gatewayEnabled: true }]);
    await patch(address, { properties: { operatorVersion: "", featureProfile: { gatewayEnabled: false } } });
    await succeed(frontend.database, address);
    const after = (await storedCluster(frontend.database, address)).document.openShiftCluster;
    const { featureProfile, maintenanceTask: _, maintenanceState: __, ...rest } = after.properties;
    assert.deepEqual(featureProfile, { gatewayEnabled: false });
    assert.deepEqual({ ...after, properties: rest }, before);
  });

  test("accepts the result of GET", async () => {
    const address = await newCluster(frontend);
    await change(address, { infraId: "demo-abcde", zones: ["1"] });
    const { text } = await frontend.admin.get(adminUrl(address));
    const response = await patch(address, text);
    assert.equal(response.status, 200, response.text);
  });

  test("of an unknown cluster is 404, in an unregistered subscription 400", async () => {
    const address = await newAddress(frontend);
    assertError(await patch(address, {}), 404, "ResourceNotFound");
    await createCluster(frontend, address);
    await setSubscription(frontend, address.subscriptionId, "Suspended");
    assertError(await patch(address, {}), 400, "InvalidSubscriptionState");
  });

  test("is audited with the administrator and the outcome", async () => {
    const address = await newCluster(frontend, "audited");
    const headers = { "x-ms-client-principal-name": "sre@example.com" };
    await frontend.admin.patch(adminUrl(address), {}, { headers });
    const { document } = await storedCluster(frontend.database, address);
    assert.equal(document.correlationData?.clientPrincipalName, "sre@example.com");
    await frontend.admin.patch(adminUrl(address), {}, { headers });
    await frontend.client.patch(adminUrl(address), {}, { headers });
    const lines = (await log.auditsOf(address.id, 4)).filter((line) => line.audience === "admin");
    assert.deepEqual(
      lines.map(({ caller, apiVersion, status, result, code }) => [caller, apiVersion, status, result, code]),
      [
        ["sre@example.com", "admin", 200, "Success", undefined],
        ["sre@example.com", "admin", 400, "UserError", "RequestNotAllowed"],
        ["sre@example.com", "admin", 403, "UserError", "Forbidden"],
      ],
    );
  });
});

describe("across subscriptions", () => {
  test("clusters are listed in pages, each in the version admin, once", async () => {
    const mine = new Set<string>();
    for (let count = 0; count < 12; count++) {
      const address = await newAddress(frontend, `region-${count}`);
      await createCluster(frontend, address);
      mine.add(address.id);
    }
    const seen: string[] = [];
    let path = "/admin/providers/Microsoft.RedHatOpenShift/openShiftClusters";
    for (;;) {
      const page = await frontend.admin.get(path);
      assert.equal(page.status, 200, page.text);
      const { value, nextLink } = JSON.parse(page.text);
      assert.ok(value.length <= 10);
      for (const cluster of value) {
        seen.push(cluster.id);
        assert.equal(cluster.properties.architectureVersion, 1);
      }
      if (!nextLink) break;
      const next = new URL(nextLink);
      path = next.pathname + next.search;
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.deepEqual(
      seen.map((id) => id.toLowerCase()),
      seen.map((id) => id.toLowerCase()).sort(),
    );
    for (const id of mine) assert.ok(seen.includes(id), id);
    const elsewhere = await frontend.admin.get("/admin/providers/Foo.Bar/openShiftClusters");
    assertError(elsewhere, 400, "InvalidResourceNamespace");
  });

  test("the lists of a subscription and of a group are in the version admin too", async () => {
    const address = await newCluster(frontend);
    const group = address.id.slice(0, address.id.lastIndexOf("/"));
    const provider = "/providers/Microsoft.RedHatOpenShift/openShiftClusters";
    for (const list of [group, `/subscriptions/${address.subscriptionId}${provider}`]) {
      const { value } = JSON.parse((await frontend.admin.get(`${list}?api-version=admin`)).text);
      assert.deepEqual(
        value.map((each: { id: string; properties: { createdBy: string } }) => [
          each.id,
          each.properties.createdBy,
        ]),
        [[address.id, "test"]],
      );
      assertError(await frontend.client.get(`${list}?api-version=admin`), 403, "Forbidden");
    }
  });

  test("clusters are found by parts of their properties", async () => {
    const address = await newCluster(frontend, "Needle");
    const find = async (query: string) =>
      JSON.parse((await frontend.admin.get(`/admin/clusters?${query}`)).text);
    const [found] = await find(`name=EEDL&subscription=${address.subscriptionId.toUpperCase()}`);
    const { document } = await storedCluster(frontend.database, address);
    assert.deepEqual(found, {
      key: document.id,
      name: "Needle",
      subscription: address.subscriptionId,
      resourceGroup: "Group",
      resourceId: address.id,
      provisioningState: "Succeeded",
      failedProvisioningState: "",
      version: "4.19.2",
      createdAt: document.openShiftCluster.properties.createdAt,
      createdBy: "test",
      provisionedBy: "test",
      lastModified: "",
    });
    assert.equal((await find("name=needle&state=succeeded")).length, 1);
    assert.equal((await find("name=needle&state=succeed")).length, 0);
    assert.equal((await find("name=needle&version=4.18")).length, 0);
    assert.ok((await find("")).length > 1);
    assertError(await frontend.admin.get("/admin/clusters?$skipToken=x"), 400, "InvalidParameter");
  });

  test("schedules select clusters by the returned selectors", async () => {
    const address = await newCluster(frontend);
    const response = await frontend.admin.get(`/admin${address.id}/selectors`);
    const { document } = await storedCluster(frontend.database, address);
    assert.deepEqual(response.json, {
      resourceID: address.id.toLowerCase(),
      bucketID: `${document.bucket}`,
      subscriptionID: address.subscriptionId,
      subscriptionState: "Registered",
      authenticationType: "ServicePrincipal",
      architectureVersion: "1",
      provisioningState: "Succeeded",
      outboundType: "Loadbalancer",
      APIServerVisibility: "Public",
      isManagedDomain: "true",
    });
    assertError(await frontend.admin.get(`/admin${address.id}x/selectors`), 404, "ResourceNotFound");
    const { collections } = frontend.database;
    const id = address.subscriptionId;
    const subscription = await collections.subscriptions.find(id, id, signal);
    assert.ok(subscription);
    await frontend.database.commit(id, [remove(collections.subscriptions, subscription)], { signal });
    assertError(
      await frontend.admin.get(`/admin${address.id}/selectors`),
      404,
      "ResourceNotFound",
      `The subscription ID '${id}' was not found.`,
    );
  });
});

test("customers' versions do not serve administrators' properties, and vice versa", async () => {
  const location = `/subscriptions/${(await newAddress(frontend)).subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/eastus`;
  for (const collection of ["openShiftVersions", "platformWorkloadIdentityRoleSets"]) {
    assertError(
      await frontend.admin.get(`${location}/${collection}?api-version=admin`),
      400,
      "InvalidResourceType",
    );
    assert.equal((await frontend.client.get(`${location}/${collection}?api-version=${current}`)).status, 200);
  }
});
