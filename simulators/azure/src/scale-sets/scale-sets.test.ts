import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { azureErrorCode } from "@keelson/azure";
import type { HostedMachine, MachineHost } from "../arm/machine-host.ts";
import { location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);
const group = `/subscriptions/${subscriptionId}/resourceGroups/g`;

describe("scale sets by the official client", () => {
  const stack = new AsyncDisposableStack();
  let azure: TestAzure;
  const sets = () => azure.clients.compute.virtualMachineScaleSets;
  const machines = () => azure.clients.compute.virtualMachineScaleSetVMs;
  const call = () => azure.clients.call(signal);

  const model = (subnetId: string, change: { capacity?: number; health?: boolean } = {}) => ({
    location,
    sku: { name: "Standard_D2s_v3", capacity: change.capacity ?? 2 },
    virtualMachineProfile: {
      osProfile: { computerNamePrefix: "rp-1-", customData: "c2VjcmV0" },
      networkProfile: {
        networkInterfaceConfigurations: [
          {
            name: "nic",
            primary: true,
            ipConfigurations: [{ name: "ip", subnet: { id: subnetId } }],
          },
        ],
      },
      ...(change.health === false
        ? {}
        : {
            extensionProfile: {
              extensions: [
                {
                  name: "health",
                  publisher: "Microsoft.ManagedServices",
                  typePropertiesType: "ApplicationHealthLinux",
                },
              ],
            },
          }),
    },
  });

  const subnetId = `${group}/providers/Microsoft.Network/virtualNetworks/v/subnets/s`;
  const put = (name: string, change?: Parameters<typeof model>[1]) =>
    sets().createOrUpdate("g", name, model(subnetId, change), call()).pollUntilDone(call());
  const instances = async (name: string) =>
    (await Array.fromAsync(machines().list("g", name, call()))).map((each) => each.instanceId ?? "");
  const health = async (name: string, instance: string) =>
    (await machines().getInstanceView("g", name, instance, call())).vmHealth?.status?.code;

  before(async () => {
    azure = stack.use(await startTestAzure({ timings: { vmCreateMs: 30, vmDeleteMs: 30 } }));
    await azure.clients.resources.resourceGroups.createOrUpdate("g", { location }, call());
    const body = {
      location,
      addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
      subnets: [{ name: "s", addressPrefix: "10.0.0.0/24" }],
    };
    await azure.clients.network.virtualNetworks.createOrUpdate("g", "v", body, call());
  });
  after(() => stack.disposeAsync());

  test("a set is created with its machines, scaled, listed and deleted", async () => {
    const created = await put("one");
    assert.equal(created.provisioningState, "Succeeded");
    assert.equal(
      created.virtualMachineProfile?.osProfile?.customData,
      undefined,
      "custom data is not returned",
    );
    assert.deepEqual(await instances("one"), ["0", "1"]);
    await put("one", { capacity: 3 });
    assert.deepEqual(await instances("one"), ["0", "1", "2"]);
    await machines().delete("g", "one", "1", call()).pollUntilDone(call());
    assert.deepEqual(await instances("one"), ["0", "2"]);
    assert.equal((await sets().get("g", "one", call())).sku?.capacity, 2);
    const listed = await Array.fromAsync(azure.clients.resources.resources.listByResourceGroup("g", call()));
    assert.deepEqual(listed.map(({ name }) => name).toSorted(), ["one", "v"]);
    await sets().delete("g", "one", call()).pollUntilDone(call());
    assert.deepEqual(await Array.fromAsync(sets().list("g", call())), []);
    await assert.rejects(instances("one"), (error) => azureErrorCode(error) === "ResourceNotFound");
  });

  test("a machine is unhealthy while a unit is stopped, it is off, or the settings mark it", async () => {
    const set = await put("two");
    assert.equal(await health("two", "0"), "HealthState/healthy");
    const run = (line: string) =>
      machines()
        .runCommand("g", "two", "0", { commandId: "RunShellScript", script: [line] }, call())
        .pollUntilDone(call());
    const { value } = await run("systemctl stop keelson.target");
    assert.equal(value?.[0]?.code, "ProvisioningState/succeeded");
    assert.equal(await health("two", "0"), "HealthState/unhealthy");
    assert.equal(await health("two", "1"), "HealthState/healthy");
    await run("systemctl start keelson.target");
    assert.equal(await health("two", "0"), "HealthState/healthy");
    await machines().powerOff("g", "two", "0", call()).pollUntilDone(call());
    assert.equal(await health("two", "0"), "HealthState/unhealthy");
    await machines().start("g", "two", "0", call()).pollUntilDone(call());
    azure.change({ unhealthy: { [(set.id ?? "").toLowerCase()]: true } });
    const { virtualMachine } = await sets().getInstanceView("g", "two", call());
    assert.deepEqual(
      virtualMachine?.statusesSummary?.map(({ code, count }) => [code, count]),
      [
        ["ProvisioningState/succeeded", 2],
        ["HealthState/unhealthy", 2],
      ],
    );
  });

  test("a set without health checks reports no health, and its subnet cannot be deleted", async () => {
    await put("three", { health: false, capacity: 1 });
    assert.equal(await health("three", "0"), undefined);
    await assert.rejects(
      azure.clients.network.subnets.delete("g", "v", "s", call()).pollUntilDone(call()),
      (error) => azureErrorCode(error) === "InUseSubnetCannotBeDeleted",
    );
    const { body } = { body: model(`${subnetId}-none`) };
    await assert.rejects(
      sets().createOrUpdate("g", "four", body, call()).pollUntilDone(call()),
      (error) => azureErrorCode(error) === "InvalidResourceReference",
    );
  });

  test("a model that no machine can have is rejected", async () => {
    const valid = model(subnetId);
    for (const [name, wrong] of Object.entries({
      size: { ...valid, sku: { name: "big", capacity: 1 } },
      capacity: { ...valid, sku: { name: "Standard_D2s_v3", capacity: 1_001 } },
      prefix: {
        ...valid,
        virtualMachineProfile: { ...valid.virtualMachineProfile, osProfile: { computerNamePrefix: "rp.1" } },
      },
      network: { ...valid, virtualMachineProfile: { osProfile: { computerNamePrefix: "rp" } } },
    })) {
      await assert.rejects(
        sets().createOrUpdate("g", `wrong-${name}`, wrong, call()).pollUntilDone(call()),
        (error) => azureErrorCode(error) === "InvalidParameter",
        name,
      );
    }
    const path = `${group}/providers/Microsoft.Compute/virtualMachineScaleSets/two/virtualMachines/9?api-version=2024-07-01`;
    assert.equal((await azure.arm("PUT", path, { location })).status, 409, "machines are the set's to make");
  });
});

test("a host receives machines with custom data and rules, reports their health, and completes a command when units have stopped", async () => {
  const shown = new Map<string, HostedMachine>();
  const stopped = Promise.withResolvers<void>();
  const healthy = new Set<string>();
  const ready = new Set<string>();
  const machineHost: MachineHost = {
    keep: (machine) => void shown.set(machine.id, machine),
    remove: (id) => void shown.delete(id),
    isHealthy: (id) => healthy.has(id),
    isReady: (id, rule) => ready.has(`${id} ${rule}`),
    readLog: (id) => `log of ${id}`,
    unitsStopped: () => stopped.promise,
  };
  await using azure = await startTestAzure({ machineHost });
  const { compute, network, resources } = azure.clients;
  const call = azure.clients.call(signal);
  await resources.resourceGroups.createOrUpdate("g", { location }, call);
  const subnets = [{ name: "s", addressPrefix: "10.0.0.0/24" }];
  const addressSpace = { addressPrefixes: ["10.0.0.0/16"] };
  await network.virtualNetworks.createOrUpdate("g", "v", { location, addressSpace, subnets }, call);
  const balancer = `${group}/providers/Microsoft.Network/loadBalancers/lb`;
  await network.loadBalancers.createOrUpdate(
    "g",
    "lb",
    {
      location,
      sku: { name: "Standard" },
      frontendIPConfigurations: [
        { name: "front", subnet: { id: `${group}/providers/Microsoft.Network/virtualNetworks/v/subnets/s` } },
      ],
      backendAddressPools: [{ name: "pool" }],
      probes: [
        {
          name: "p",
          protocol: "Https",
          port: 8443,
          requestPath: "/ready",
          intervalInSeconds: 5,
          numberOfProbes: 3,
        },
      ],
      loadBalancingRules: [
        {
          name: "rule",
          protocol: "Tcp",
          frontendPort: 443,
          backendPort: 8443,
          frontendIPConfiguration: { id: `${balancer}/frontendIPConfigurations/front` },
          backendAddressPool: { id: `${balancer}/backendAddressPools/pool` },
          probe: { id: `${balancer}/probes/p` },
        },
      ],
    },
    call,
  );
  const subnet = { id: `${group}/providers/Microsoft.Network/virtualNetworks/v/subnets/s` };
  const loadBalancerBackendAddressPools = [{ id: `${balancer}/backendAddressPools/pool` }];
  const ipConfigurations = [{ name: "ip", subnet, loadBalancerBackendAddressPools }];
  const set = {
    location,
    tags: { image: "i:1" },
    sku: { name: "Standard_D2s_v3", capacity: 1 },
    virtualMachineProfile: {
      osProfile: { computerNamePrefix: "rp-", customData: "c2VjcmV0" },
      networkProfile: { networkInterfaceConfigurations: [{ name: "nic", primary: true, ipConfigurations }] },
      extensionProfile: {
        extensions: [
          {
            name: "h",
            publisher: "Microsoft.ManagedServices",
            typePropertiesType: "ApplicationHealthLinux",
            settings: { protocol: "http", port: 80, requestPath: "/ready" },
          },
        ],
      },
    },
  };
  const sets = compute.virtualMachineScaleSets;
  await sets.createOrUpdate("g", "set", set, call).pollUntilDone(call);
  const [machine] = shown.values();
  const set0 = `${group}/providers/Microsoft.Compute/virtualMachineScaleSets/set/virtualMachines/0`;
  const id = set0.toLowerCase();
  assert.deepEqual(machine, {
    id,
    name: "set_0",
    customData: "c2VjcmV0",
    tags: { image: "i:1" },
    isOn: true,
    stoppedUnits: [],
    rules: [
      {
        name: "rule",
        frontend: "front",
        frontendPort: 443,
        backendPort: 8_443,
        probe: { protocol: "https", port: 8_443, path: "/ready", intervalSeconds: 5, failures: 3 },
      },
    ],
    health: { protocol: "http", port: 80, path: "/ready", intervalSeconds: 5, failures: 1 },
  });
  const machines = compute.virtualMachineScaleSetVMs;
  const health = async () => (await machines.getInstanceView("g", "set", "0", call)).vmHealth?.status?.code;
  assert.equal(await health(), "HealthState/unhealthy");
  healthy.add(id);
  assert.equal(await health(), "HealthState/healthy");
  const behindRule = () =>
    network.loadBalancerLoadBalancingRules.health("g", "lb", "rule", call).pollUntilDone(call);
  const configuration = `${set0}/networkInterfaces/nic/ipConfigurations/ip`;
  const [down] = (await behindRule()).loadBalancerBackendAddresses ?? [];
  assert.deepEqual([down?.state, down?.networkInterfaceIPConfigurationId], ["Down", configuration]);
  ready.add(`${id} rule`);
  assert.deepEqual(await behindRule().then(({ up, down }) => [up, down]), [1, 0]);
  await assert.rejects(
    network.loadBalancerLoadBalancingRules.health("g", "lb", "other", call).pollUntilDone(call),
    { statusCode: 404 },
  );
  const read = { commandId: "RunShellScript", script: ["journalctl --unit x"] };
  const { value } = await machines.runCommand("g", "set", "0", read, call).pollUntilDone(call);
  assert.equal(value?.[0]?.message, `Enable succeeded: \n[stdout]\nlog of ${id}\n[stderr]\n`);
  const command = { commandId: "RunShellScript", script: ["systemctl stop keelson.target"] };
  const poller = machines.runCommand("g", "set", "0", command, call);
  await poller.submitted();
  await poller.poll();
  assert.equal(poller.isDone, false);
  assert.deepEqual(shown.get(id)?.stoppedUnits, ["keelson.target"]);
  stopped.resolve();
  await poller.pollUntilDone(call);
  await sets.delete("g", "set", call).pollUntilDone(call);
  assert.equal(shown.size, 0);
});
