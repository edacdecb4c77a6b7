import assert from "node:assert/strict";
import { request } from "node:https";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { asJson, at, nonEmptyStringAt } from "../base/json.ts";
import { adminToken, location, startTestAzure, type TestAzure } from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);

/** Reads the stream line by line. An empty line is a heartbeat. */
function watch(azure: TestAzure): AsyncDisposable & { next(): Promise<string> } {
  const lines = Promise.withResolvers<AsyncIterator<string>>();
  const outgoing = request({
    host: "127.0.0.1",
    port: azure.port,
    ca: azure.caPem,
    path: "/sim/virtualMachines",
    headers: { authorization: `Bearer ${adminToken.reveal()}` },
    agent: false,
  });
  outgoing.on("response", (incoming) =>
    lines.resolve(createInterface({ input: incoming })[Symbol.asyncIterator]()),
  );
  outgoing.on("error", lines.reject);
  outgoing.end();
  return {
    next: async () => String((await (await lines.promise).next()).value),
    async [Symbol.asyncDispose]() {
      outgoing.destroy();
    },
  };
}

async function putMachine(azure: TestAzure, name: string) {
  const { network, resources, compute } = azure.clients;
  const call = azure.clients.call(signal);
  await resources.resourceGroups.createOrUpdate("g", { location }, call);
  const body = {
    location,
    addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
    subnets: [{ name: "s", addressPrefix: "10.0.0.0/24" }],
  };
  const vnet = await network.virtualNetworks.createOrUpdate("g", "vnet", body, call);
  const ipConfigurations = [{ name: "ip", subnet: { id: vnet.subnets?.[0]?.id ?? "" } }];
  const nic = await network.networkInterfaces.createOrUpdate(
    "g",
    `${name}-nic`,
    { location, ipConfigurations },
    call,
  );
  return compute.virtualMachines.createOrUpdate(
    "g",
    name,
    {
      location,
      zones: ["2"],
      tags: { cluster: "demo" },
      hardwareProfile: { vmSize: "Standard_D8s_v5" },
      osProfile: { computerName: name, customData: "aWdu" },
      networkProfile: { networkInterfaces: [{ id: nic.id ?? "" }] },
    },
    call,
  );
}

const event = (line: string) => asJson(JSON.parse(line));

test("a reader receives the existing machines, then each change", async () => {
  await using azure = await startTestAzure({ timings: { vmCreateMs: 80, vmDeleteMs: 50 } });
  await putMachine(azure, "one");
  await using stream = watch(azure);
  const first = event(await stream.next());
  assert.equal(nonEmptyStringAt(first, "type"), "ADDED");
  assert.deepEqual(at(first, "vm", "privateIpAddresses"), ["10.0.0.4"]);
  assert.equal(nonEmptyStringAt(first, "vm", "powerState"), "running");
  assert.equal(nonEmptyStringAt(first, "vm", "provisioningState"), "Succeeded");
  assert.equal(nonEmptyStringAt(first, "vm", "customData"), "aWdu");
  assert.equal(nonEmptyStringAt(first, "vm", "resourceGroup"), "g");
  assert.deepEqual(at(first, "vm", "tags"), { cluster: "demo" });
  assert.match(JSON.stringify(at(first, "vm", "subnetIds")), /^\[".*virtualNetworks\/vnet\/subnets\/s"\]$/);
  assert.deepEqual(at(first, "vm", "zones"), ["2"]);
  assert.deepEqual(event(await stream.next()), { type: "SYNCED" });
  await putMachine(azure, "two");
  const seen = async () => {
    const next = event(await stream.next());
    return ["type", "name", "provisioningState", "powerState"].map(
      (name) => nonEmptyStringAt(next, name) ?? nonEmptyStringAt(next, "vm", name),
    );
  };
  assert.deepEqual(await seen(), ["ADDED", "two", "Creating", "stopped"]);
  assert.deepEqual(await seen(), ["MODIFIED", "two", "Succeeded", "running"]);
  await azure.clients.compute.virtualMachines.delete("g", "two", azure.clients.call(signal));
  assert.deepEqual(await seen(), ["MODIFIED", "two", "Deleting", "running"]);
  assert.deepEqual(await seen(), ["DELETED", "two", "Deleting", "running"]);
});

test("a quiet stream beats every ten seconds", async () => {
  const clock = new ManualClock(new Date());
  await using azure = await startTestAzure({ clock });
  await using stream = watch(azure);
  assert.deepEqual(event(await stream.next()), { type: "SYNCED" });
  await clock.advance(10_000);
  assert.equal(await stream.next(), "");
  await clock.advance(10_000);
  assert.equal(await stream.next(), "");
});

test("only the administrator's token opens the stream", async () => {
  await using azure = await startTestAzure();
  const status = async (authorization?: string) =>
    (await azure.raw("/sim/virtualMachines", authorization ? { headers: { authorization } } : {})).status;
  assert.equal(await status(), 401);
  assert.equal(await status(`Bearer ${adminToken.reveal()}x`), 401);
  assert.equal(await status(`Bearer ${await azure.clients.getToken(signal)}`), 401);
});

/** Sends a report with the administrator's token and returns the status. */
function report(azure: TestAzure, method: string, body: unknown, token = adminToken.reveal()) {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const outgoing = request(
    {
      host: "127.0.0.1",
      port: azure.port,
      ca: azure.caPem,
      method,
      path: "/sim/virtualMachines/boots",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      agent: false,
    },
    (response) => resolve(response.resume().statusCode),
  );
  outgoing.on("error", reject);
  outgoing.end(JSON.stringify(body));
  return promise;
}

test("a report that a machine cannot boot shows in its instance view until it booted", async () => {
  await using azure = await startTestAzure();
  const { id } = await putMachine(azure, "one");
  const message = async () => {
    const { vmAgent } = await azure.clients.compute.virtualMachines.instanceView("g", "one");
    return vmAgent?.statuses?.[0]?.message;
  };
  assert.equal(await message(), undefined);
  assert.equal(await report(azure, "POST", { id, problem: "no such host" }), 200);
  assert.equal(await message(), "The operating system did not start: no such host");
  assert.equal(await report(azure, "POST", { id, problem: null }), 200);
  assert.equal(await message(), undefined);
});

test("reports need the administrator's token, an ID and POST; unknown machines are ignored", async () => {
  await using azure = await startTestAzure();
  const send = (method: string, body: unknown, token?: string) => report(azure, method, body, token);
  assert.equal(await send("POST", { id: "/subscriptions/s/none", problem: "x" }), 200);
  assert.equal(await send("POST", { problem: "x" }), 400);
  assert.equal(await send("PUT", { id: "/subscriptions/s/none" }), 405);
  assert.equal(await send("POST", { id: "/subscriptions/s/none" }, "other"), 401);
});
