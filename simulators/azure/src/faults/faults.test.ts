import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { JsonValue } from "@keelson/base";
import { at, nonEmptyStringAt } from "../base/json.ts";
import {
  adminToken,
  clientId,
  location,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  tenantId,
} from "../testing/test-azure.ts";
import type { Fault } from "./definitions/fault.ts";

const group = `/subscriptions/${subscriptionId}/resourceGroups/g`;
const network = `${group}/providers/Microsoft.Network`;
const compute = `${group}/providers/Microsoft.Compute`;
const v = "?api-version=2024-03-01";
const admin = { authorization: `Bearer ${adminToken.reveal()}`, "content-type": "application/json" };

describe("faults", () => {
  let azure: TestAzure;
  let names = 0;
  before(async () => {
    azure = await startTestAzure();
    await azure.arm("PUT", `${group}${v}`, { location });
    const properties = {
      addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
      subnets: [{ name: "s", properties: { addressPrefix: "10.0.0.0/24" } }],
    };
    await azure.arm("PUT", `${network}/virtualNetworks/vnet${v}`, { location, properties });
  });
  after(() => azure[Symbol.asyncDispose]());
  beforeEach(() => azure.change({ faults: null, faultSeed: null }));

  const set = (fault: Fault) => azure.change({ faults: { test: fault } });
  const struck = () => azure.faults().find(({ name }) => name === "test")?.injected;
  const table = () => `${network}/routeTables/t${names++}${v}`;
  const put = (path: string, body: JsonValue = { location }) => azure.arm("PUT", path, body);
  const codeOf = ({ json }: { readonly json: JsonValue | undefined }) =>
    nonEmptyStringAt(json, "error", "code");

  /** Polls the operation named in the response headers and returns its final response. */
  const ended = async (headers: Readonly<Record<string, string | string[] | undefined>>) => {
    const url = headers["azure-asyncoperation"] ?? headers.location;
    assert.ok(typeof url === "string", "the response names an operation");
    const { pathname, search } = new URL(url);
    for (let look = 1; ; look++) {
      assert.ok(look < 500, "the operation does not end");
      const seen = await azure.arm("GET", `${pathname}${search}`);
      if (seen.status !== 202 && !/^(InProgress|Running)$/.test(nonEmptyStringAt(seen.json, "status") ?? ""))
        return seen;
    }
  };

  /** Creates a machine with a dedicated network interface. */
  const putMachine = async (name: string) => {
    const subnet = { id: `${network}/virtualNetworks/vnet/subnets/s` };
    const nic = `${network}/networkInterfaces/${name}`;
    await put(`${nic}${v}`, {
      location,
      properties: { ipConfigurations: [{ name: "ip", properties: { subnet } }] },
    });
    return put(`${compute}/virtualMachines/${name}${v}`, {
      location,
      properties: {
        hardwareProfile: { vmSize: "Standard_D8s_v5" },
        networkProfile: { networkInterfaces: [{ id: nic }] },
      },
    });
  };

  const refusals: readonly (readonly [fault: Fault, status: number, code: string, retryAfter?: string])[] = [
    [{ kind: "throttled" }, 429, "TooManyRequests", "1"],
    [{ kind: "throttled", retryAfterSeconds: 7 }, 429, "TooManyRequests", "7"],
    [{ kind: "conflict" }, 409, "AnotherOperationInProgress"],
    [{ kind: "server-error" }, 500, "InternalServerError"],
    [{ kind: "server-error", status: 503, retryAfterSeconds: 2 }, 503, "ServiceUnavailable", "2"],
    [{ kind: "refused", status: 403, code: "Mine", message: "why" }, 403, "Mine"],
    [{ kind: "quota-exceeded" }, 409, "QuotaExceeded"],
    [{ kind: "sku-not-available", type: "Microsoft.Network/*" }, 409, "SkuNotAvailable"],
  ];
  for (const [fault, status, code, retryAfter] of refusals)
    test(`${JSON.stringify(fault)} rejects the request without a change`, async () => {
      set(fault);
      const path = table();
      const response = await put(path);
      assert.deepEqual([response.status, codeOf(response)], [status, code]);
      assert.equal(response.headers["retry-after"], retryAfter);
      azure.change({ faults: null });
      assert.equal((await azure.arm("GET", path)).status, 404);
      assert.equal((await put(path)).status, 201);
    });

  const matching: readonly (readonly [name: string, fault: Partial<Fault>, struck: boolean])[] = [
    ["another type", { type: "Microsoft.Compute/*" }, false],
    ["one of several types", { type: "Microsoft.Compute/*, microsoft.network/ROUTETABLES" }, true],
    ["all types but this", { except: "Microsoft.Network/routeTables" }, false],
    ["another verb", { verb: "delete" }, false],
    ["the same verb", { verb: "write" }, true],
    ["another group", { scope: group.replace(/g$/, "gg") }, false],
    ["the same group, in another case", { scope: group.toUpperCase() }, true],
    ["another client", { clientId: tenantId }, false],
    ["the same client", { clientId }, true],
    ["another service", { service: "graph" }, false],
  ];
  for (const [name, fault, strikes] of matching)
    test(`a fault of ${name} ${strikes ? "strikes" : "does not strike"}`, async () => {
      set({ kind: "throttled", ...fault });
      assert.equal((await put(table())).status, strikes ? 429 : 201);
    });

  test("a fault begins after some requests and ends after some more, and setting it again restarts it", async () => {
    const fault: Fault = { kind: "throttled", verb: "write", skip: 1, count: 2 };
    const statuses = async () =>
      (await Array.fromAsync([1, 2, 3, 4], () => put(table()))).map(({ status }) => status);
    set(fault);
    assert.deepEqual(await statuses(), [201, 429, 429, 201]);
    assert.partialDeepStrictEqual(azure.faults(), [{ name: "test", fault, injected: 2 }]);
    azure.change({ faults: { test: fault } });
    assert.deepEqual(await statuses(), [201, 429, 429, 201]);
  });

  test("the seed determines the requests of a partial fault", async () => {
    const run = async (faultSeed: number) => {
      azure.change({ faultSeed, faults: { test: { kind: "throttled", percent: 50, verb: "read" } } });
      const responses = await Array.fromAsync(Array(24).keys(), () => azure.arm("GET", `${group}${v}`));
      return responses.map(({ status }) => status).join();
    };
    const [first, again, other] = [await run(1), await run(1), await run(2)];
    assert.equal(first, again);
    assert.notEqual(first, other);
    assert.match(first, /200.*429|429.*200/);
  });

  test("an immediate operation is delayed, and its polls have Retry-After", async () => {
    set({ kind: "operation-slow", delayMs: 1_200, retryAfterSeconds: 9 });
    const path = table();
    const created = await put(path);
    assert.equal(created.status, 201);
    assert.equal(nonEmptyStringAt(created.json, "properties", "provisioningState"), "Creating");
    const { pathname, search } = new URL(String(created.headers["azure-asyncoperation"]));
    const seen = await azure.arm("GET", `${pathname}${search}`);
    assert.deepEqual([at(seen.json, "status"), seen.headers["retry-after"]], ["InProgress", "9"]);
    assert.equal(at((await ended(created.headers)).json, "status"), "Succeeded");
    assert.equal(
      nonEmptyStringAt((await azure.arm("GET", path)).json, "properties", "provisioningState"),
      "Succeeded",
    );
  });

  const failures: readonly (readonly [kind: Fault["kind"], code: string])[] = [
    ["allocation-failed", "AllocationFailed"],
    ["zonal-allocation-failed", "ZonalAllocationFailed"],
    ["os-provisioning-timed-out", "OSProvisioningTimedOut"],
    ["operation-failed", "InternalOperationError"],
  ];
  for (const [kind, code] of failures)
    test(`a machine with a creation error ${code} is Failed and off until it is written again`, async () => {
      set({ kind, count: 1, type: "Microsoft.Compute/virtualMachines" });
      const path = `${compute}/virtualMachines/${kind}`;
      const created = await putMachine(kind);
      assert.equal(created.status, 201);
      const operation = (await ended(created.headers)).json;
      assert.deepEqual(
        [at(operation, "status"), nonEmptyStringAt(operation, "error", "code")],
        ["Failed", code],
      );
      const view = async () => (await azure.arm("GET", `${path}/instanceView${v}`)).json;
      const state = async () =>
        nonEmptyStringAt((await azure.arm("GET", `${path}${v}`)).json, "properties", "provisioningState");
      assert.equal(await state(), "Failed");
      assert.doesNotMatch(JSON.stringify(await view()), /PowerState\/running/);
      await putMachine(kind);
      assert.equal(await state(), "Succeeded");
      assert.match(JSON.stringify(await view()), /PowerState\/running/);
    });

  test("a deletion that fails leaves the resource there, Failed; the next one succeeds", async () => {
    const path = table();
    await put(path);
    set({ kind: "operation-failed", verb: "delete", code: "Nope", count: 1 });
    const operation = (await ended((await azure.arm("DELETE", path)).headers)).json;
    assert.equal(nonEmptyStringAt(operation, "error", "code"), "Nope");
    assert.equal(
      nonEmptyStringAt((await azure.arm("GET", path)).json, "properties", "provisioningState"),
      "Failed",
    );
    assert.equal((await azure.arm("DELETE", path)).status, 200);
  });

  test("the write of a subnet that fails changes nothing", async () => {
    const subnet = `${network}/virtualNetworks/vnet/subnets/more${v}`;
    const body = { properties: { addressPrefix: "10.0.9.0/24" } };
    set({ kind: "operation-failed", count: 1 });
    const operation = (await ended((await put(subnet, body)).headers)).json;
    assert.equal(at(operation, "status"), "Failed");
    assert.equal((await azure.arm("GET", subnet)).status, 404);
    assert.equal((await put(subnet, body)).status, 201);
    set({ kind: "operation-failed", count: 1 });
    assert.equal(at((await ended((await azure.arm("DELETE", subnet)).headers)).json, "status"), "Failed");
    assert.equal((await azure.arm("GET", subnet)).status, 200);
  });

  test("a group with a failed deletion is restored with all its resources", async () => {
    const other = group.replace(/g$/, "other");
    await put(`${other}${v}`);
    await put(`${other}/providers/Microsoft.Network/routeTables/t${v}`);
    set({ kind: "operation-failed", type: "*/resourceGroups", count: 1 });
    const response = await ended((await azure.arm("DELETE", `${other}${v}`)).headers);
    assert.deepEqual([response.status, codeOf(response)], [409, "InternalOperationError"]);
    const resources = await azure.arm("GET", `${other}/resources${v}`);
    assert.equal(
      nonEmptyStringAt((await azure.arm("GET", `${other}${v}`)).json, "properties", "provisioningState"),
      "Succeeded",
    );
    assert.match(resources.text, /routeTables\/t/);
  });

  test("a connection ends before the operation or after it", async () => {
    const [undone, done] = [table(), table()];
    set({ kind: "dropped", when: "before" });
    await assert.rejects(put(undone), /hang up|ECONNRESET/);
    set({ kind: "dropped" });
    await assert.rejects(put(done), /hang up|ECONNRESET/);
    azure.change({ faults: null });
    assert.equal((await azure.arm("GET", undone)).status, 404);
    assert.equal((await azure.arm("GET", done)).status, 200);
  });

  test("faults of Entra ID, Graph and key vaults have the forms of those services", async () => {
    const rows = [
      ["entra", `/${tenantId}/oauth2/v2.0/token`, /"error":"temporarily_unavailable".*AADSTS90055/],
      ["graph", "/v1.0/applications", /"code":"TooManyRequests".*"innerError"/],
      ["vault", "/vaults/kv/secrets/s", /"code":"TooManyRequests"/],
      ["storage", "/blobs/a/c/b", /"code":"TooManyRequests"/],
    ] as const;
    for (const [service, path, says] of rows) {
      set({ kind: "throttled", service, retryAfterSeconds: 3 });
      const method = service === "entra" ? "POST" : "GET";
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const response = await azure.raw(path, {
        method,
        ...(method === "POST" ? { headers, body: "a=b" } : {}),
      });
      assert.deepEqual([response.status, response.headers["retry-after"]], [429, "3"], service);
      assert.match(response.text, says);
    }
  });

  test("an expired secret rejects the sign-ins of its application only", async () => {
    const signIn = (id: string, proof: Record<string, string> = { client_secret: "x" }) =>
      azure.raw(`/${tenantId}/oauth2/v2.0/token`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: String(new URLSearchParams({ grant_type: "client_credentials", client_id: id, ...proof })),
      });
    set({ kind: "secret-expired", clientId });
    const refused = await signIn(clientId);
    assert.equal(refused.status, 401);
    assert.match(refused.text, /AADSTS7000222/);
    assert.doesNotMatch((await signIn(tenantId)).text, /AADSTS7000222/);
    const assertion = {
      client_assertion: "x.y.z",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    };
    assert.doesNotMatch((await signIn(clientId, assertion)).text, /AADSTS7000222/);
  });

  test("resources of a deployment meet faults; throttled ones are tried again", async () => {
    const deployment = `${group}/providers/Microsoft.Resources/deployments`;
    const template = {
      $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
      contentVersion: "1.0.0.0",
      resources: [
        { type: "Microsoft.Network/routeTables", apiVersion: "2024-03-01", name: "deployed", location },
      ],
    };
    const deploy = async (name: string) => {
      const response = await put(`${deployment}/${name}${v}`, {
        properties: { mode: "Incremental", template },
      });
      return ended(response.headers);
    };
    set({ kind: "operation-failed", type: "Microsoft.Network/routeTables", code: "Broken", count: 1 });
    const failed = await deploy("one");
    assert.match(failed.text, /"Failed".*Broken/);
    set({ kind: "throttled", type: "Microsoft.Network/routeTables", verb: "write", count: 1 });
    assert.match((await deploy("two")).text, /"Succeeded"/);
    assert.equal(struck(), 1);
  });

  const invalid: readonly (readonly [fault: JsonValue, says: RegExp])[] = [
    [{ kind: "nonsense" }, /unknown kind "nonsense": it is one of throttled, /],
    [{ kind: "slow" }, /slow needs the parameter delayMs/],
    [{ kind: "slow", delayMs: "soon" }, /delayMs must be a whole number/],
    [{ kind: "throttled", percent: 0 }, /percent must be 1 to 100/],
    [{ kind: "throttled", when: "after" }, /throttled has no parameter "when"/],
    [{ kind: "dropped", when: "never" }, /when must be one of before, after/],
    [{ kind: "server-error", status: 404 }, /status must be 500 to 599/],
    ["throttled", /a fault is an object/],
  ];
  for (const [fault, says] of invalid)
    test(`${JSON.stringify(fault)} is not a valid fault`, async () => {
      const body = JSON.stringify({ faults: { test: fault } });
      const response = await azure.raw("/sim/settings", { method: "PATCH", headers: admin, body });
      assert.deepEqual([response.status, codeOf(response)], [400, "InvalidFault"]);
      assert.match(response.text.replaceAll('\\"', '"'), says);
    });

  test("administrators can list the active faults and the fault kinds", async () => {
    const body = JSON.stringify({ faults: { test: { kind: "slow", delayMs: 1, service: "graph" } } });
    assert.equal((await azure.raw("/sim/settings", { method: "PATCH", headers: admin, body })).status, 200);
    const inForce = await azure.raw("/sim/faults", { headers: admin });
    assert.deepEqual(inForce.json, {
      items: [
        { name: "test", fault: { kind: "slow", delayMs: 1, service: "graph" }, matched: 0, injected: 0 },
      ],
    });
    const kinds = await azure.raw("/sim/faults/kinds", { headers: admin });
    assert.ok(nonEmptyStringAt(kinds.json, "throttled", "parameters", "percent", "description"));
    assert.equal((await azure.raw("/sim/faults")).status, 401);
  });
});
