import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { demoId, exampleFacts } from "../testing/example-world.ts";
import type { TestBrowser } from "../testing/test-browser.ts";
import { startTestConsole, type TestConsole } from "../testing/test-console.ts";

let at: TestConsole;
let browser: TestBrowser;
before(async () => {
  at = await startTestConsole();
  browser = await at.signedIn();
});
after(async () => {
  browser?.[Symbol.dispose]();
  await at?.[Symbol.asyncDispose]();
});
/** Number of recorded calls before the current test. */
let earlier = 0;
beforeEach(() => {
  earlier = at.world.calls.length;
  at.world.serviceStatus = undefined;
});

const read = async (path: string) => (await browser.send(path)).json;
const post = (path: string, body: object) => browser.send(path, { method: "POST", body });
/** Calls to ARM and the service that the current test caused. */
const changes = () => at.world.calls.slice(earlier);
const subscription = `/subscriptions/${exampleFacts.subscriptionId}`;

test("clusters have the data that the list shows, with workers of their machine sets", async () => {
  assert.partialDeepStrictEqual(await read("/api/clusters"), {
    clusters: [
      {
        name: "demo",
        resourceGroup: "demo",
        state: "Succeeded",
        version: "4.19.24",
        visibility: "Public",
        workers: 4,
      },
    ],
    versions: ["4.19.24", "4.18.26"],
  });
});

test("a cluster has its machines with their power, machine sets, channel and updates", async () => {
  assert.partialDeepStrictEqual(await read("/api/clusters/demo/demo"), {
    machines: [
      { name: "demo-x7k2p-master-0", zone: "1", power: "running" },
      { name: "demo-x7k2p-worker-eastus1-abcde", zone: "2", power: "stopped" },
    ],
    machineSets: [{ name: "demo-x7k2p-worker-eastus1", replicas: 1, readyReplicas: 1 }],
    channel: "stable-4.19",
    channels: ["stable-4.19", "stable-4.20"],
    updates: ["4.19.26"],
    operation: { status: "Succeeded", percentComplete: 100 },
  });
});

test("a cluster is shown without the data that the service cannot read, and with the reason", async () => {
  at.world.serviceStatus = 503;
  assert.partialDeepStrictEqual(await read("/api/clusters/demo/demo"), {
    name: "demo",
    machines: [{ name: "demo-x7k2p-master-0" }, { name: "demo-x7k2p-worker-eastus1-abcde" }],
    machineSets: [],
    updates: [],
    problem: "503: Broken: no answer",
  });
  assert.equal((await browser.send("/api/clusters/demo/none")).status, 404);
});

const newCluster = {
  name: "two",
  version: "4.18.26",
  masterSize: "Standard_D8s_v3",
  workerSize: "Standard_D4s_v3",
  workers: 5,
  visibility: "Private",
};

test("a new cluster is requested through ARM with its prepared application and subnets", async () => {
  assert.equal((await post("/api/clusters", newCluster)).status, 201);
  const [change] = changes();
  assert.equal(change?.method, "PUT");
  assert.match(change?.path ?? "", /\/resourceGroups\/two\/.*\/openShiftClusters\/two\?api-version=/);
  assert.partialDeepStrictEqual(change?.body ?? {}, {
    location: "eastus",
    properties: {
      clusterProfile: { domain: "two", version: "4.18.26" },
      servicePrincipalProfile: { clientId: "client" },
      masterProfile: { subnetId: "/subnets/two-master" },
      workerProfiles: [{ count: 5, subnetId: "/subnets/two-worker" }],
      apiserverProfile: { visibility: "Private" },
    },
  });
});

for (const [field, value, message] of [
  ["name", "Two", /name must be/],
  ["name", "../x", /name must be/],
  ["version", "4.17.0", /version must be one of 4\.19\.24, 4\.18\.26/],
  ["workerSize", "Standard_A1", /workerSize must be one of/],
  ["workers", 1, /workers must be a whole number from 2 to 50/],
  ["workers", "5", /workers must be/],
  ["visibility", "Hidden", /visibility must be one of Public, Private/],
] as const)
  test(`a new cluster with ${field} ${JSON.stringify(value)} is refused before ARM gets a request`, async () => {
    const { status, json } = await post("/api/clusters", { ...newCluster, [field]: value });
    assert.equal(status, 400);
    assert.match(JSON.stringify(json), message);
    assert.deepEqual(changes(), []);
  });

test("an existing cluster is not requested again", async () => {
  assert.equal((await post("/api/clusters", { ...newCluster, name: "demo" })).status, 409);
  assert.deepEqual(changes(), []);
});

test("clusters are deleted through ARM; nodes are switched, scaled and updated through the admin API", async () => {
  const path = "/api/clusters/demo/demo";
  assert.equal((await browser.send(path, { method: "DELETE" })).status, 202);
  const machine = "demo-x7k2p-worker-eastus1-abcde";
  assert.equal((await post(`${path}/machines/${machine}/power`, { on: false })).status, 204);
  assert.equal((await post(`${path}/machines/${machine}/power`, { on: true })).status, 204);
  const machineSet = "demo-x7k2p-worker-eastus1";
  assert.equal((await post(`${path}/scale`, { machineSet, replicas: 3 })).status, 202);
  assert.equal((await post(`${path}/channel`, { channel: "stable-4.20" })).status, 202);
  assert.equal((await post(`${path}/update`, { version: "4.19.26" })).status, 202);
  const [deleted, off, on, scaled, channel, updated] = changes();
  assert.deepEqual([deleted?.api, deleted?.method], ["arm", "DELETE"]);
  assert.equal(off?.path, `/admin${demoId}/stopvm?vmName=${machine}`);
  assert.equal(on?.path, `/admin${demoId}/startvm?vmName=${machine}`);
  assert.partialDeepStrictEqual(scaled?.body ?? {}, {
    metadata: { resourceVersion: "7" },
    spec: { replicas: 3, selector: {} },
  });
  assert.partialDeepStrictEqual(channel?.body ?? {}, { spec: { channel: "stable-4.20" } });
  assert.partialDeepStrictEqual(updated?.body ?? {}, {
    spec: {
      channel: "stable-4.19",
      desiredUpdate: { version: "4.19.26", image: "quay.io/release@sha256:26" },
    },
  });
});

for (const [path, body, status] of [
  ["scale", { machineSet: "none", replicas: 3 }, 404],
  ["scale", { machineSet: "a/b", replicas: 3 }, 400],
  ["scale", { machineSet: "demo-x7k2p-worker-eastus1", replicas: -1 }, 400],
  ["channel", { channel: "stable-5.0" }, 400],
  ["update", { version: "4.20.24" }, 400],
  ["machines/a/power", { on: "yes" }, 400],
] as const)
  test(`POST ${path} of ${JSON.stringify(body)} is ${status} and changes nothing`, async () => {
    assert.equal((await post(`/api/clusters/demo/demo/${path}`, body)).status, status);
    assert.deepEqual(changes(), []);
  });

test("resource groups and their resources are listed, a resource is shown as JSON", async () => {
  assert.partialDeepStrictEqual(await read("/api/groups"), {
    subscriptionId: exampleFacts.subscriptionId,
    groups: [{ name: "aro-demo", managedBy: demoId }, { name: "demo" }],
    isCut: false,
  });
  assert.partialDeepStrictEqual(await read("/api/groups/aro-demo/resources"), {
    resources: [{ name: "t", type: "Microsoft.Network/routeTables" }],
  });
  const id = `${subscription}/resourceGroups/aro-demo/providers/Microsoft.Network/routeTables/t`;
  assert.partialDeepStrictEqual(await read(`/api/resource?${new URLSearchParams({ id })}`), {
    resource: { id, name: "t" },
  });
});

test("groups and virtual networks are created, and deleted by their IDs", async () => {
  assert.equal((await post("/api/groups", { name: "mine" })).status, 201);
  const subnets = [{ name: "s", addressPrefix: "10.1.1.0/24" }];
  const network = { group: "demo", name: "v", addressPrefix: "10.1.0.0/16", subnets };
  assert.equal((await post("/api/virtual-networks", network)).status, 201);
  const id = `${subscription}/resourceGroups/mine`;
  assert.equal(
    (await browser.send(`/api/resource?${new URLSearchParams({ id })}`, { method: "DELETE" })).status,
    202,
  );
  const [group, created, deleted] = changes();
  assert.deepEqual(
    [group?.path, group?.body],
    [`${subscription}/resourceGroups/mine?api-version=2021-04-01`, { location: "eastus" }],
  );
  assert.partialDeepStrictEqual(created?.body ?? {}, {
    properties: {
      addressSpace: { addressPrefixes: ["10.1.0.0/16"] },
      subnets: [{ name: "s", properties: { addressPrefix: "10.1.1.0/24" } }],
    },
  });
  assert.equal(deleted?.path, `${subscription}/resourceGroups/mine?api-version=2021-04-01`);
  assert.equal((await post("/api/groups", { name: "demo" })).status, 409);
});

for (const id of [
  "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/a",
  `${subscription}/../resourceGroups/a`,
  `${subscription}/resourceGroups/a?api-version=1`,
  `${subscription}/resourceGroups/a%2fb`,
  `${subscription}/resourceGroups/a#b`,
  "",
])
  test(`the ID ${JSON.stringify(id)} is refused`, async () => {
    const path = `/api/resource?${new URLSearchParams({ id })}`;
    for (const method of ["GET", "DELETE"]) assert.equal((await browser.send(path, { method })).status, 400);
    assert.deepEqual(changes(), []);
  });

test("the log is read from a sequence number on, and one request with its bodies", async () => {
  assert.partialDeepStrictEqual(await read("/api/requests"), { requests: [{ sequence: 3 }], newest: 3 });
  assert.deepEqual(await read("/api/requests?after=3"), { requests: [], newest: 3 });
  assert.partialDeepStrictEqual(await read("/api/requests/3"), { requestBody: { bytes: 20 } });
  assert.equal((await browser.send("/api/requests/4")).status, 404);
  assert.equal((await browser.send("/api/requests?after=x")).status, 400);
});

test("the directory names principals and roles of assignments", async () => {
  assert.deepEqual(await read("/api/directory"), {
    applications: [{ displayName: "cluster demo", clientId: "a", secrets: 1, certificates: 1 }],
    roleAssignments: [
      {
        id: `${subscription}/providers/Microsoft.Authorization/roleAssignments/r`,
        principal: "cluster demo",
        principalType: "ServicePrincipal",
        role: "Owner",
        scope: subscription,
      },
    ],
    isCut: false,
  });
});

test("faults are injected and cleared", async () => {
  const fault = { kind: "api-slow", cluster: "demo", parameters: { delayMs: "5" } };
  const set = await post("/api/faults", fault);
  assert.equal(set.status, 201);
  const { id } = set.json as { readonly id: string };
  assert.partialDeepStrictEqual(await read("/api/faults"), {
    faults: [{ id: "one" }, { id, cluster: "demo" }],
  });
  assert.equal((await browser.send(`/api/faults/${id}`, { method: "DELETE" })).status, 204);
  assert.equal((await browser.send(`/api/faults/${id}`, { method: "DELETE" })).status, 404);
});

for (const [title, fault, message] of [
  ["an unknown kind", { kind: "none" }, /Fault kind \\"none\\" not found/],
  ["an unknown cluster", { kind: "api-slow", cluster: "dem" }, /Cluster \\"dem\\" not found. Clusters: demo/],
  [
    "an unknown node",
    { kind: "disk-full", cluster: "demo", parameters: { node: "x" } },
    /demo-x7k2p-master-0/,
  ],
  ["a node without a cluster", { kind: "disk-full", parameters: { node: "x" } }, /Select the cluster/],
  ["a cluster for a fault of Azure", { kind: "throttled", cluster: "demo" }, /Use the parameter scope/],
  ["an unknown application", { kind: "throttled", parameters: { clientId: "x" } }, /application x not found/],
  [
    "an unknown group",
    { kind: "throttled", parameters: { scope: `${subscription}/resourceGroups/x` } },
    /scope: /,
  ],
  [
    "an unknown resource",
    { kind: "throttled", parameters: { scope: `${subscription}/resourceGroups/aro-demo/providers/a/b/c` } },
    /scope: /,
  ],
  ["a different subscription", { kind: "throttled", parameters: { scope: "/subscriptions/x" } }, /scope: /],
  ["a parameter that is no string", { kind: "throttled", parameters: { percent: 5 } }, /must be a string/],
] as const)
  test(`a fault with ${title} is refused`, async () => {
    const before = (await at.world.faults.list()).length;
    const { status, json } = await post("/api/faults", fault);
    assert.equal(status, 400);
    assert.match(JSON.stringify(json), message);
    assert.equal((await at.world.faults.list()).length, before);
  });

for (const scope of [
  subscription,
  `${subscription}/resourceGroups/demo`,
  `${subscription}/resourceGroups/ARO-demo/providers/Microsoft.Network/routeTables/T/routes/r`,
])
  test(`a fault with the existing scope ${scope} is injected`, async () => {
    assert.equal((await post("/api/faults", { kind: "throttled", parameters: { scope } })).status, 201);
  });

test("the clock moves forward and back to the real time, and lists credentials by their expiry", async () => {
  assert.equal((await post("/api/clock", { advanceMs: 86_400_000 })).status, 204);
  assert.partialDeepStrictEqual(await read("/api/clock"), {
    now: "2026-11-30T00:00:00.000Z",
    aheadMs: 86_400_000,
    expiring: [
      { kind: "key vault certificate", owner: "vault", name: "serving" },
      { kind: "application certificate", owner: "cluster demo", name: "c" },
      { kind: "application secret", owner: "cluster demo", name: "one" },
    ],
    omitted: 0,
  });
  for (const advanceMs of [0, -1, 1.5, "1", 1e15])
    assert.equal((await post("/api/clock", { advanceMs })).status, 400);
  assert.equal(at.world.aheadMs, 86_400_000);
  assert.equal((await browser.send("/api/clock", { method: "DELETE" })).status, 204);
  assert.equal(at.world.aheadMs, 0);
});

test("orphans are those that the audit of the world finds", async () => {
  assert.partialDeepStrictEqual(await read("/api/orphans"), { orphans: [{ kind: "orphaned-group" }] });
});
