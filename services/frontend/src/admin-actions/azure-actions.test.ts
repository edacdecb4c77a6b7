import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { type ConnectCluster, clusterConnector, resizeControlPlane } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import {
  isPlainObject,
  type JsonObject,
  type JsonValue,
  silentLogger,
  stringAt,
  systemClock,
  valueAt,
} from "@keelson/base";
import {
  installCluster,
  newCluster,
  putSubscription,
  startWorld,
  type World,
} from "@keelson/cluster/testing";
import { conditionStatus, connectKube, type KubeClient, resources } from "@keelson/kube";
import type { ClusterDocument } from "@keelson/model";
import { assertError } from "../testing/clusters.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const signal = AbortSignal.timeout(10 * 60_000);
let world: World;
let connect: ConnectCluster;
let frontend: TestFrontend;
let document: ClusterDocument;
let kube: KubeClient;
let masters: readonly string[];
let group: string;

before(async () => {
  world = await startWorld();
  // While an action waits for a machine, it polls more often in this test than in production.
  const sleep = (ms: number, until: AbortSignal) => systemClock.sleep(Math.min(ms, 100), until);
  connect = clusterConnector(world.environment, { ...systemClock, sleep });
  frontend = await startTestFrontend({
    connectCluster: connect,
    actionHeartbeatMs: 100,
    portal: () => ({
      url: "https://portal.example",
      certificatePem: "",
      ssh: { hostKey: "ssh-rsa AAAA", port: 22 },
    }),
  });
  await putSubscription(frontend.database, world.subscriptionId);
  const [principal] = world.clusterPrincipals;
  assert.ok(principal);
  const cluster = newCluster({
    name: "demo",
    subscriptionId: world.subscriptionId,
    principal,
    masterSubnetId: await world.subnet("master", "10.0.0.0/24"),
    workerSubnetId: await world.subnet("worker", "10.0.1.0/24"),
    workers: 2,
  });
  document = await installCluster(world, frontend.database, cluster);
  const { aroServiceKubeconfig, infraId, clusterProfile } = document.openShiftCluster.properties;
  kube = connectKube({
    kubeconfig: aroServiceKubeconfig?.reveal() ?? "",
    userAgent: "test",
    fieldManager: "test",
  });
  masters = [0, 1, 2].map((index) => `${infraId}-master-${index}`);
  group = clusterProfile.resourceGroupId;
});
after(async () => {
  await kube?.[Symbol.asyncDispose]();
  await frontend?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

type Query = Readonly<Record<string, string>>;
const pathOf = (suffix: string, query: Query = {}) =>
  `/admin${document.openShiftCluster.id}/${suffix}?${new URLSearchParams(query)}`;
const get = (suffix: string, query?: Query) => frontend.client.get(pathOf(suffix, query));
const post = (suffix: string, query?: Query) => frontend.client.post(pathOf(suffix, query));
const managed = (provider: string, name: string) => `${group}/providers/${provider}/${name}`;
const call = () => world.azure.call(signal);

const openSsh = (master: number) =>
  frontend.client.post(pathOf("ssh/newelevated"), {
    body: { master },
    headers: { "x-ms-arm-resource-system-data": JSON.stringify({ createdBy: "ada@example.com" }) },
  });

async function done(suffix: string, query: Query): Promise<void> {
  const { status, text } = await post(suffix, query);
  assert.deepEqual([status, text], [200, ""]);
}

async function powerOf(vmName: string): Promise<string | undefined> {
  const { statuses } = await world.azure.compute.virtualMachines.instanceView(groupName(), vmName, call());
  return statuses?.find(({ code }) => code?.startsWith("PowerState/"))?.code;
}

const groupName = () => group.split("/").at(-1) ?? "";

/**
 * Waits until the node is ready or not ready, depending on `wanted`. The node's state follows the state of its machine with a
 * delay.
 */
async function untilReady(node: string, wanted: boolean): Promise<void> {
  for (const limit = AbortSignal.timeout(900_000); ; limit.throwIfAborted()) {
    const found = await kube.get(resources.nodes, { name: node }, signal);
    if ((conditionStatus(found, "Ready") === "True") === wanted) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function listOf(text: string): readonly JsonObject[] {
  const list: unknown = JSON.parse(text);
  assert.ok(Array.isArray(list));
  return list.filter(isPlainObject) as readonly JsonObject[];
}

test("the resources of a cluster are sent one by one, including the customer's", async () => {
  const { status, text } = await get("resources");
  assert.equal(status, 200);
  const all = listOf(text);
  const types = all.map(({ type }) => `${type}`.toLowerCase());
  assert.equal(types[0], "microsoft.network/virtualnetworks");
  assert.equal(types.filter((type) => type === "microsoft.compute/virtualmachines").length, 5);
  for (const type of ["loadbalancers", "networkinterfaces", "publicipaddresses", "networksecuritygroups"])
    assert.ok(types.includes(`microsoft.network/${type}`), type);
  const machine = all.find(({ name }) => name === masters[0]);
  assert.match(JSON.stringify(machine), /"PowerState\/running"/);
  assert.match(JSON.stringify(machine), /"vmId"/);
});

describe("a virtual machine", () => {
  test("that is stopped makes its node not ready until it is started again", async () => {
    const [vmName = ""] = masters;
    await done("stopvm", { vmName });
    assert.equal(await powerOf(vmName), "PowerState/stopped");
    await untilReady(vmName, false);
    const stopped = "master-0 is not running (PowerState/stopped); power it on or choose a running master.";
    assertError(await openSsh(0), 400, "InvalidParameter", stopped, "master");
    assert.equal((await openSsh(1)).status, 200);
    await done("stopvm", { vmName, deallocateVM: "True" });
    assert.equal(await powerOf(vmName), "PowerState/deallocated");
    await done("startvm", { vmName });
    assert.equal(await powerOf(vmName), "PowerState/running");
    await untilReady(vmName, true);
  });

  test("that is redeployed runs", async () => {
    const [, vmName = ""] = masters;
    await done("redeployvm", { vmName });
    assert.equal(await powerOf(vmName), "PowerState/running");
    await untilReady(vmName, true);
  });

  test("returns its console output", async () => {
    const [vmName = ""] = masters;
    const { status, text, headers } = await get("serialconsole", { vmName });
    assert.deepEqual([status, headers["content-type"]], [200, "text/plain"]);
    assert.match(text, /Linux version/);
    assertError(await get("serialconsole"), 400, "InvalidParameter", "The vmName parameter is required.");
  });

  for (const suffix of ["stopvm", "startvm", "redeployvm", "resize"]) {
    test(`that does not exist is not found: ${suffix}`, async () => {
      const response = await post(suffix, { vmName: "nosuch", vmSize: "Standard_D8s_v5" });
      const message = "The VirtualMachine 'nosuch' under resource group 'customer' was not found.";
      assertError(response, 404, "NotFound", message);
      const bad = await post(suffix, { vmName: "-x", vmSize: "Standard_D8s_v5" });
      assertError(bad, 400, "InvalidParameter", "The provided vmName '-x' is invalid.");
    });
  }

  test("accepts sizes for masters only", async () => {
    const [vmName = ""] = masters;
    const size = async () =>
      (await world.azure.compute.virtualMachines.get(groupName(), vmName, call())).hardwareProfile?.vmSize;
    const before = (await size()) ?? "";
    await done("resize", { vmName, vmSize: "Standard_D16s_v3" });
    assert.equal(await size(), "Standard_D16s_v3");
    await done("resize", { vmName, vmSize: before });
    const refused = await post("resize", { vmName, vmSize: "Standard_L4s" });
    assertError(
      refused,
      400,
      "InvalidParameter",
      "The provided vmSize 'Standard_L4s' is unsupported for master.",
    );
  });

  test("with its disk on the host cannot be redeployed", async () => {
    const { network, compute } = world.azure;
    const subnet = { id: document.openShiftCluster.properties.masterProfile.subnetId };
    const made = await network.networkInterfaces.createOrUpdate(
      groupName(),
      "ephemeral-nic",
      { location: "eastus", ipConfigurations: [{ name: "ip", subnet }] },
      call(),
    );
    const osDisk = {
      createOption: "FromImage",
      caching: "ReadOnly",
      diffDiskSettings: { option: "Local", placement: "CacheDisk" },
    } as const;
    const vm = {
      location: "eastus",
      hardwareProfile: { vmSize: "Standard_D8s_v3" },
      storageProfile: { osDisk },
      networkProfile: { networkInterfaces: [{ id: made.id ?? "" }] },
    };
    await compute.virtualMachines.createOrUpdate(groupName(), "ephemeral", vm, call()).pollUntilDone(call());
    const response = await post("redeployvm", { vmName: "ephemeral" });
    const message = "VM 'ephemeral' has an Ephemeral Disk OS and cannot be redeployed.";
    assertError(response, 403, "Forbidden", message);
    await compute.virtualMachines.delete(groupName(), "ephemeral", call()).pollUntilDone(call());
  });
});

test("the sizes that a subscription may have are sorted, without those that are restricted", async () => {
  const all = JSON.parse((await get("skus")).text);
  assert.ok(all.includes("Standard_D8s_v3"));
  assert.deepEqual(all, [...all].sort());
  world.simulatedAzure.change({ skus: { eastus: { Standard_D8s_v3: "restricted" } } });
  assert.ok(!JSON.parse((await get("skus")).text).includes("Standard_D8s_v3"));
  world.simulatedAzure.change({ skus: null });
});

describe("a network interface", () => {
  const nicOf = (master = "") => `${master.replace(/-(\d)$/, "$1")}-nic`;

  test("returns its effective routes", async () => {
    const { status, json } = await get("effectiveroutetable", { nic: nicOf(masters[0]) });
    assert.equal(status, 200);
    const [first] = Array.isArray(json.value) ? json.value : [];
    assert.equal(first.nextHopType, "VnetLocal");
    assertError(await get("effectiveroutetable"), 400, "InvalidParameter", undefined, "nic");
    assertError(await get("effectiveroutetable", { nic: "none" }), 404, "NotFound");
  });

  test("is reconciled only after a failure", async () => {
    const nicName = nicOf(masters[0]);
    const text = `skipping nic '${nicName}' because it is not in a failed provisioning state`;
    assertError(await post("reconcilefailednic", { nicName }), 400, "RequestNotAllowed", text);
    const id = managed("Microsoft.Network", `networkInterfaces/${nicName}`).toLowerCase();
    world.simulatedAzure.change({ failed: { [id]: true } });
    await done("reconcilefailednic", { nicName });
    const nic = await world.azure.network.networkInterfaces.get(groupName(), nicName, call());
    assert.equal(nic.provisioningState, "Succeeded");
    assertError(await post("reconcilefailednic", { nicName: "none" }), 404, "NotFound");
    const bad = await post("reconcilefailednic", { nicName: "-" });
    assertError(bad, 400, "InvalidParameter", "The provided nicName '-' is invalid.");
  });
});

describe("a managed resource", () => {
  const remove = (managedResourceID: string) => post("deletemanagedresource", { managedResourceID });

  test("must be in the managed group and deletable", async () => {
    const { subnetId } = document.openShiftCluster.properties.masterProfile;
    for (const id of [
      subnetId,
      `${group}2/providers/Microsoft.Network/publicIPAddresses/x`,
      `${group}/providers/Microsoft.Network/loadBalancers/../../x/y`,
      group,
      "",
    ]) {
      const text = `The resource ${id} is not within the cluster's managed resource group ${group}.`;
      assertError(await remove(id), 400, "InvalidParameter", text);
    }
    for (const id of [
      managed("Microsoft.Network", "privateLinkServices/pls"),
      managed("microsoft.network", "PRIVATEENDPOINTS/pe"),
      managed("Microsoft.Storage", "storageAccounts/images"),
    ]) {
      assertError(await remove(id), 400, "InvalidParameter", `deletion of resource ${id} is forbidden`);
    }
  });

  test("is deleted, and then not found", async () => {
    const name = "spare";
    await world.azure.network.publicIPAddresses.createOrUpdate(
      groupName(),
      name,
      { location: "eastus", sku: { name: "Standard" }, publicIPAllocationMethod: "Static" },
      call(),
    );
    const id = managed("Microsoft.Network", `publicIPAddresses/${name}`);
    assert.equal((await remove(id)).status, 200);
    assertError(await remove(id), 404, "NotFound", `The resource '${id}' could not be found.`);
  });

  test("that is part of a load balancer is deleted if nothing else uses it", async () => {
    const name = `${document.openShiftCluster.properties.infraId}-internal`;
    const part = (kind: string, of: string) =>
      managed("Microsoft.Network", `loadBalancers/${name}/${kind}/${of}`);
    const read = () => world.azure.network.loadBalancers.get(groupName(), name, call());
    assertError(await remove(part("probes", "sint-probe")), 400, "InvalidParameter");
    assertError(await remove(part("frontendIPConfigurations", "internal-lb-ip-v4")), 400, "InvalidParameter");
    assert.equal((await remove(part("loadBalancingRules", "sint-v4"))).status, 200);
    assert.equal((await remove(part("probes", "sint-probe"))).status, 200);
    const { loadBalancingRules = [], probes = [] } = await read();
    assert.ok(loadBalancingRules.length > 0);
    assert.ok(!loadBalancingRules.some((each) => each.name === "sint-v4"));
    assert.ok(!probes.some((each) => each.name === "sint-probe"));
    assertError(await remove(part("probes", "sint-probe")), 404, "NotFound");
  });
});

describe("a new size for the masters", () => {
  const larger = "Standard_D16s_v3";
  const usual = "Standard_D8s_v3";

  /** Sets the condition that the operator in the cluster reports. */
  async function reportServicePrincipal(status: "True" | "False"): Promise<void> {
    const conditions = [{ type: "ServicePrincipalValid", status, message: "expired" }];
    await kube.mergePatch(
      resources.aroClusters,
      { name: "cluster" },
      { status: { conditions } },
      signal,
      "status",
    );
  }

  async function sizes(): Promise<readonly (readonly (string | undefined)[])[]> {
    const { virtualMachines } = world.azure.compute;
    const found = masters.map(async (name) => {
      const vm = await virtualMachines.get(groupName(), name, call());
      const node = await kube.get(resources.nodes, { name }, signal);
      const key = { namespace: "openshift-machine-api", name };
      const machine = await kube.get(resources.machines, key, signal);
      return [
        vm.hardwareProfile?.vmSize,
        stringAt(machine, "spec", "providerSpec", "value", "vmSize"),
        node.metadata.labels?.["node.kubernetes.io/instance-type"],
        node.metadata.labels?.["beta.kubernetes.io/instance-type"],
        valueAt(node, "spec", "unschedulable") === true ? "cordoned" : "open",
      ];
    });
    return Promise.all(found);
  }
  const all = (size: string) => masters.map(() => [size, size, size, size, "open"]);

  /** Creates a journal in memory. `before` is called before each step and can make the step fail. */
  function memory(steps: Record<string, JsonValue> = {}, before: (step: string) => void = () => {}) {
    return {
      steps,
      lines: [] as string[],
      report(line: string) {
        this.lines.push(line);
      },
      async step<T extends JsonValue>(name: string, task: () => Promise<T>): Promise<T> {
        if (Object.hasOwn(steps, name)) return steps[name] as T;
        before(name);
        const value = await task();
        steps[name] = value;
        return value;
      },
    };
  }

  async function resize(journal: ReturnType<typeof memory>, stop = signal): Promise<void> {
    await using context = connect(document, { logger: silentLogger, signal: stop });
    await resizeControlPlane(context, { vmSize: larger, deallocateVM: true }, journal);
  }

  before(() => reportServicePrincipal("True"));
  // Simulated machines follow changes of their virtual machines with a short delay.
  beforeEach(async () => {
    for (const limit = AbortSignal.timeout(900_000); ; limit.throwIfAborted()) {
      if ((await get("controlplanestatuscheckafterresize")).status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });

  test("is checked in advance, with all objections reported", async () => {
    const passed = await get("preresizevalidation", { vmSize: larger });
    assert.deepEqual([passed.status, passed.text], [200, '"All pre-flight checks passed"\n']);
    await reportServicePrincipal("False");
    world.simulatedAzure.change({ quotas: { eastus: { cores: 1 } } });
    const { status, json } = await get("preresizevalidation", { vmSize: larger });
    world.simulatedAzure.change({ quotas: null });
    await reportServicePrincipal("True");
    assert.ok(isPlainObject(json.error) && Array.isArray(json.error.details));
    assert.deepEqual([status, json.error.message], [400, "Pre-flight validation failed."]);
    assert.deepEqual(
      json.error.details.map(({ code, target }) => [code, target]),
      [
        ["ResourceQuotaExceeded", "vmSize"],
        ["InvalidServicePrincipalCredentials", "servicePrincipal"],
      ],
    );
    assert.match(
      json.error.details[0].message,
      /^Resource quota of cores exceeded\. .*Additional requested: 24\.$/,
    );
  });

  test("is rejected for invalid requests", async () => {
    const small = await post("resizecontrolplane", { vmSize: "Standard_L4s" });
    const text = "The provided vmSize 'Standard_L4s' is unsupported for master.";
    assertError(small, 400, "InvalidParameter", text);
    const odd = await post("resizecontrolplane", { vmSize: larger, deallocateVM: "maybe" });
    assertError(odd, 400, "InvalidParameter", undefined, "deallocateVM");
    await reportServicePrincipal("False");
    const unready = await post("resizecontrolplane", { vmSize: larger });
    assertError(unready, 400, "InvalidParameter", "Pre-flight validation failed.");
    await reportServicePrincipal("True");
    assert.deepEqual(await sizes(), all(usual));
  });

  test("that fails on the second master reverts both, newest first", async () => {
    const journal = memory({}, (step) => {
      if (step === `${masters[1]}:start`) throw new CloudError("QuotaExceeded", "No room.");
    });
    await assert.rejects(resize(journal), (error) => {
      assert.ok(error instanceof CloudError);
      assert.deepEqual([error.status, error.body.code], [400, "QuotaExceeded"]);
      assert.match(error.message, /^No room\.\. Steps: /);
      const told = [...error.message.matchAll(/master-(\d:\w+) \(\d+ms\)/g)].map(([, step]) => step);
      assert.deepEqual(told, [
        ...["cordon", "drain", "stop", "resize", "start", "waitReady", "waitEtcd", "uncordon"].map(
          (s) => `2:${s}`,
        ),
        ...["2:updateMachine", "2:updateNodeLabels", "1:cordon", "1:drain", "1:stop", "1:resize"],
        ...["1:restoreVMSize", "1:restoreNodeLabels", "1:restoreSchedulability"],
        ...["2:restoreVMSize", "2:restoreMachine", "2:restoreNodeLabels"],
      ]);
      return true;
    });
    assert.deepEqual(await sizes(), all(usual));
  });

  test("that is interrupted resumes at the same step", async () => {
    const steps: Record<string, JsonValue> = {};
    const stop = new AbortController();
    const first = memory(steps, (step) => {
      if (step === `${masters[2]}:resize`) stop.abort(new Error("the process stops"));
    });
    await assert.rejects(resize(first, stop.signal), /the process stops/);
    assert.equal(await powerOf(masters[2] ?? ""), "PowerState/deallocated");
    const again: string[] = [];
    await resize(memory(steps, (step) => again.push(step)));
    assert.equal(again[0], `${masters[2]}:resize`);
    assert.deepEqual(await sizes(), all(larger));
  });

  test("is applied without its caller, and skips masters that have it", async () => {
    const response = await frontend.client.post(pathOf("resizecontrolplane", { vmSize: usual }), {
      headers: { prefer: "respond-async" },
    });
    assert.equal(response.status, 202);
    const { pathname } = new URL(`${response.headers.location}`);
    let { json } = await frontend.client.get(pathname);
    for (const limit = AbortSignal.timeout(900_000); json.state === "Running"; limit.throwIfAborted()) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      ({ json } = await frontend.client.get(pathname));
    }
    assert.equal(json.state, "Succeeded", JSON.stringify(json));
    assert.ok(Array.isArray(json.progress) && json.progress.length === 30);
    assert.deepEqual(await sizes(), all(usual));
    const again = await post("resizecontrolplane", { vmSize: usual });
    assert.deepEqual([again.status, again.text], [200, ""]);
    const { json: listed } = await get("actions");
    const [newest] = Array.isArray(listed.value) ? listed.value : [];
    assert.deepEqual([newest.action, newest.state, newest.progress], ["resizecontrolplane", "Succeeded", []]);
  });
});
