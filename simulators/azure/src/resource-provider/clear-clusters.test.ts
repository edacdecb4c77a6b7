import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { clientId, location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";
import { type Received, type Reply, startTestProvider } from "../testing/testing-provider.ts";

const v = "?api-version=2024-03-01";
const subscription = `/subscriptions/${subscriptionId}`;
const group = `${subscription}/resourceGroups/customers`;
const managed = `${subscription}/resourceGroups/aro-one`;
const network = `${group}/providers/Microsoft.Network`;
const one = `${group}/providers/Microsoft.RedHatOpenShift/openShiftClusters/one`;

describe("a group with clusters", () => {
  const stack = new AsyncDisposableStack();
  const asked: Received[] = [];
  /**
   * Returns the provider's response to the deletion of a cluster. Each test sets its own function. The provider's list of
   * clusters contains the entries of `clusters`.
   */
  let respondToDeletion: (id: string) => Reply;
  const clusters = new Map<string, object>();
  let azure: TestAzure;

  before(async () => {
    const provider = stack.use(
      await startTestProvider((request) => {
        asked.push(request);
        const { pathname } = new URL(request.url, "https://provider");
        if (request.method === "DELETE") return respondToDeletion(pathname);
        if (pathname.endsWith("/openShiftClusters")) {
          const scope = pathname.toLowerCase();
          const value = [...clusters].flatMap(([id, each]) => (id.startsWith(`${scope}/`) ? [each] : []));
          return { status: 200, body: { value } };
        }
        if (pathname.includes("/operationsstatus/")) {
          return { status: 200, body: { status: "Failed", error: { code: "Stuck", message: "It stays." } } };
        }
        const found = clusters.get(pathname.toLowerCase());
        return found ? { status: 200, body: found } : { status: 404, body: {} };
      }),
    );
    azure = stack.use(await startTestAzure({ resourceProvider: provider.options }));
  });
  after(() => stack.disposeAsync());
  beforeEach(async () => {
    clusters.set(one.toLowerCase(), { id: one, name: "one", location });
    await azure.arm("PUT", `${group}${v}`, { location });
    await azure.arm("PUT", `${managed}${v}`, { location, managedBy: one });
    const subnets = [{ name: "s", properties: { addressPrefix: "10.0.0.0/24" } }];
    const properties = { addressSpace: { addressPrefixes: ["10.0.0.0/16"] }, subnets };
    await azure.arm("PUT", `${network}/virtualNetworks/v${v}`, { location, properties });
    const subnet = { id: `${network}/virtualNetworks/v/subnets/s` };
    const ipConfigurations = [{ name: "ip", properties: { subnet } }];
    await azure.arm("PUT", `${managed}/providers/Microsoft.Network/networkInterfaces/n${v}`, {
      location,
      properties: { ipConfigurations },
    });
    asked.length = 0;
  });

  const until = async (isSo: () => Promise<boolean>) => {
    for (let look = 0; !(await isSo()); look++) {
      assert.ok(look < 1_000, "it does not end");
      await delay(20);
    }
  };
  /** Deletes the cluster's managed group through ARM, as the resource provider does. */
  const takeAway = async () => {
    const response = await azure.arm("DELETE", `${managed}${v}`);
    assert.equal(response.status, 202);
    await until(async () => (await azure.arm("HEAD", `${managed}${v}`)).status !== 204);
    clusters.clear();
  };
  const deleteGroup = async () => {
    const accepted = await azure.arm("DELETE", `${group}${v}`);
    assert.equal(accepted.status, 202, accepted.text);
    const { pathname, search } = new URL(String(accepted.headers.location));
    let seen = accepted;
    await until(async () => {
      seen = await azure.arm("GET", `${pathname}${search}`);
      return seen.status !== 202;
    });
    return seen;
  };
  const isThere = async (id: string) => (await azure.arm("GET", `${id}${v}`)).status === 200;

  test("is deleted after its clusters, with requests in the caller's name", async () => {
    let taken: Promise<void> | undefined;
    let attempts = 0;
    respondToDeletion = () => {
      attempts++;
      if (attempts === 1) return { status: 409, body: { error: { code: "Busy", message: "creating" } } };
      taken = takeAway();
      return { status: 202 };
    };
    const done = await deleteGroup();
    await taken;
    assert.equal(done.status, 200, done.text);
    assert.equal(attempts, 2);
    const [deletion] = asked.filter(({ method }) => method === "DELETE");
    assert.equal(deletion?.headers["x-ms-client-app-id"], clientId);
    assert.ok(!(await isThere(group)) && !(await isThere(managed)));
  });

  test("remains complete when a cluster cannot be deleted, and names it", async () => {
    const operation = `https://x/subscriptions/${subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/eastus/operationsstatus/1?api-version=2025-07-25`;
    respondToDeletion = () => ({ status: 202, headers: { "azure-asyncoperation": operation } });
    const failed = await deleteGroup();
    assert.equal(failed.status, 409);
    assert.equal(nonEmptyStringAt(failed.json, "error", "code"), "ResourceGroupDeletionBlocked");
    assert.deepEqual(objectsAt(failed.json, "error", "details"), [
      { code: "Stuck", target: one, message: "It stays." },
    ]);
    assert.ok((await isThere(group)) && (await isThere(`${network}/virtualNetworks/v`)));
    assert.equal(
      nonEmptyStringAt((await azure.arm("GET", `${group}${v}`)).json, "properties", "provisioningState"),
      "Succeeded",
    );
  });

  test("with a lock below rejects the deletion before a request to the provider", async () => {
    const lock = `${one}/providers/Microsoft.Authorization/locks/keep${v}`;
    await azure.arm("PUT", lock, { properties: { level: "CanNotDelete" } });
    const refused = await azure.arm("DELETE", `${group}${v}`);
    assert.equal(nonEmptyStringAt(refused.json, "error", "code"), "ScopeLocked");
    assert.ok(nonEmptyStringAt(refused.json, "error", "message")?.includes(one));
    assert.ok(asked.every(({ method }) => method === "GET"));
    await azure.arm("DELETE", lock);
  });

  test("allows the service to change existing resources during the deletion, but not to create any", async () => {
    respondToDeletion = () => ({ status: 202 });
    const vnet = `${network}/virtualNetworks/v`;
    const accepted = await azure.arm("DELETE", `${group}${v}`);
    assert.equal(accepted.status, 202);
    const subnet = await azure.arm("PUT", `${vnet}/subnets/s${v}`, {
      properties: { addressPrefix: "10.0.0.0/24" },
    });
    assert.equal(subnet.status, 200, subnet.text);
    const table = await azure.arm("PUT", `${network}/routeTables/t${v}`, { location });
    assert.equal(nonEmptyStringAt(table.json, "error", "code"), "ResourceGroupBeingDeleted");
    await takeAway();
    await until(async () => !(await isThere(group)));
  });
});
