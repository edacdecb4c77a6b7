import assert from "node:assert/strict";
import { test } from "node:test";
import type { DataDisk } from "@azure/arm-compute";
import { azureErrorCode, isNotFound } from "@keelson/azure";
import type { Timings } from "../arm/timings.ts";
import { location, startTestAzure, subscriptionId } from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);

async function withNetwork(timings?: Partial<Timings>) {
  const azure = await startTestAzure(timings ? { timings } : {});
  const { network, resources, compute } = azure.clients;
  const call = azure.clients.call(signal);
  await resources.resourceGroups.createOrUpdate("g", { location }, call);
  const body = {
    location,
    addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
    subnets: [{ name: "s", addressPrefix: "10.0.0.0/24" }],
  };
  const vnet = await network.virtualNetworks.createOrUpdate("g", "vnet", body, call);
  const subnet = { id: vnet.subnets?.[0]?.id ?? "" };
  const nic = await network.networkInterfaces.createOrUpdate(
    "g",
    "nic",
    { location, ipConfigurations: [{ name: "ip", subnet }] },
    call,
  );
  return { azure, call, network, compute, nicId: nic.id ?? "" };
}

function machine(nicId: string, more: { tags?: Record<string, string>; deleteOption?: string } = {}) {
  const { tags, deleteOption } = more;
  return {
    location,
    ...(tags ? { tags } : {}),
    hardwareProfile: { vmSize: "Standard_D8s_v5" },
    osProfile: {
      computerName: "vm",
      adminUsername: "core",
      adminPassword: "pa55word!",
      customData: "aWduaXRpb24=",
    },
    storageProfile: { osDisk: { createOption: "FromImage", ...(deleteOption ? { deleteOption } : {}) } },
    networkProfile: { networkInterfaces: [{ id: nicId, ...(deleteOption ? { deleteOption } : {}) }] },
  };
}

const code = (wanted: string) => (error: unknown) => azureErrorCode(error) === wanted;

test("a machine is being created, then runs, and does not return its secrets", async () => {
  const { azure, call, network, compute, nicId } = await withNetwork({ vmCreateMs: 150 });
  await using _ = azure;
  const creation = compute.virtualMachines.createOrUpdate("g", "vm", machine(nicId), call);
  await creation.submitted();
  const early = await compute.virtualMachines.get("g", "vm", { ...call, expand: "instanceView" });
  assert.equal(early.provisioningState, "Creating");
  assert.equal(early.instanceView?.statuses?.[1]?.code, "PowerState/stopped");
  const made = await creation.pollUntilDone(call);
  assert.equal(made.provisioningState, "Succeeded");
  const view = await compute.virtualMachines.instanceView("g", "vm", call);
  assert.deepEqual(
    view.statuses?.map((each) => each.code),
    ["ProvisioningState/succeeded", "PowerState/running"],
  );
  const id = `/subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/vm`;
  const raw = await azure.arm("GET", `${id}?api-version=2024-07-01`);
  assert.doesNotMatch(raw.text, /customData|aWduaXRpb24|pa55word/);
  assert.equal((await network.networkInterfaces.get("g", "nic", call)).virtualMachine?.id, id);
  const disk = await compute.disks.get("g", made.storageProfile?.osDisk?.name ?? "", call);
  assert.equal(disk.managedBy, id);
  await assert.rejects(compute.disks.delete("g", disk.name ?? "", call), code("OperationNotAllowed"));
  await assert.rejects(network.networkInterfaces.delete("g", "nic", call), code("NicInUse"));
});

test("power actions change the power state, and a write does not", async () => {
  const { azure, call, compute, nicId } = await withNetwork({ vmActionMs: 30, vmCreateMs: 0 });
  await using _ = azure;
  const machines = compute.virtualMachines;
  await machines.createOrUpdate("g", "vm", machine(nicId), call);
  const power = async () => (await machines.instanceView("g", "vm", call)).statuses?.[1]?.code;
  await machines.deallocate("g", "vm", call).pollUntilDone(call);
  assert.equal(await power(), "PowerState/deallocated");
  await machines.createOrUpdate("g", "vm", machine(nicId, { tags: { a: "b" } }), call);
  assert.equal(await power(), "PowerState/deallocated");
  await machines.start("g", "vm", call).pollUntilDone(call);
  assert.equal(await power(), "PowerState/running");
  await machines.powerOff("g", "vm", call).pollUntilDone(call);
  assert.equal(await power(), "PowerState/stopped");
  await machines.restart("g", "vm", call).pollUntilDone(call);
  assert.equal(await power(), "PowerState/running");
  await machines.redeploy("g", "vm", call).pollUntilDone(call);
  assert.equal(await power(), "PowerState/running");
});

test("resizing a machine preserves all its other properties", async () => {
  const { azure, call, compute, nicId } = await withNetwork();
  await using _ = azure;
  const machines = compute.virtualMachines;
  const before = await machines.createOrUpdate("g", "vm", machine(nicId), call).pollUntilDone(call);
  await machines.deallocate("g", "vm", call).pollUntilDone(call);
  const hardwareProfile = { vmSize: "Standard_D16s_v5" };
  const after = await machines.update("g", "vm", { hardwareProfile }, call).pollUntilDone(call);
  assert.deepEqual([after.hardwareProfile?.vmSize, after.vmId], ["Standard_D16s_v5", before.vmId]);
  assert.deepEqual(after.networkProfile, before.networkProfile);
});

test("the serial console log with the boots of a machine is available at its signed URL", async () => {
  const { azure, call, compute, nicId } = await withNetwork();
  await using _ = azure;
  const machines = compute.virtualMachines;
  await machines.createOrUpdate("g", "vm", machine(nicId), call);
  await machines.restart("g", "vm", call).pollUntilDone(call);
  const { serialConsoleLogBlobUri = "" } = await machines.retrieveBootDiagnosticsData("g", "vm", call);
  const { pathname, search, searchParams } = new URL(serialConsoleLogBlobUri);
  const { status, text } = await azure.raw(pathname + search);
  assert.equal(status, 200);
  assert.equal(text.match(/Linux version/g)?.length, 2);
  assert.match(text, /vm login:/);
  searchParams.set("se", "9999999999999");
  assert.equal((await azure.raw(`${pathname}?${searchParams}`)).status, 403);
  assert.equal((await azure.raw(pathname)).status, 403);
  await assert.rejects(
    machines.retrieveBootDiagnosticsData("g", "vm", { ...call, sasUriExpirationTimeInMinutes: 0 }),
    code("InvalidParameter"),
  );
});

test("a running machine's interface returns its effective routes", async () => {
  const { azure, call, compute, network, nicId } = await withNetwork();
  await using _ = azure;
  const routes = () => network.networkInterfaces.getEffectiveRouteTable("g", "nic", call).pollUntilDone(call);
  await assert.rejects(routes, code("EffectiveRouteTableNotAvailable"));
  await compute.virtualMachines.createOrUpdate("g", "vm", machine(nicId), call);
  const table = await network.routeTables.createOrUpdate(
    "g",
    "table",
    {
      location,
      routes: [
        {
          name: "out",
          addressPrefix: "0.0.0.0/0",
          nextHopType: "VirtualAppliance",
          nextHopIpAddress: "10.0.9.9",
        },
      ],
    },
    call,
  );
  const subnet = { addressPrefix: "10.0.0.0/24", routeTable: { id: table.id ?? "" } };
  await network.subnets.createOrUpdate("g", "vnet", "s", subnet, call);
  const found = (await routes()).value ?? [];
  const told = found.map(({ source, state, addressPrefix, nextHopType }) =>
    [source, state, addressPrefix, nextHopType].join(" "),
  );
  assert.deepEqual(told.slice(0, 2), [
    "Default Active 10.0.0.0/16 VnetLocal",
    "Default Invalid 0.0.0.0/0 Internet",
  ]);
  assert.deepEqual(told.at(-1), "User Active 0.0.0.0/0 VirtualAppliance");
  assert.deepEqual(found.at(-1)?.nextHopIpAddress, ["10.0.9.9"]);
});

test("a running machine's interface returns the rules of its subnet's security group, then those of its security group", async () => {
  const { azure, call, compute, network, nicId } = await withNetwork();
  await using _ = azure;
  const groups = () =>
    network.networkInterfaces.listEffectiveNetworkSecurityGroups("g", "nic", call).pollUntilDone(call);
  await assert.rejects(groups, code("EffectiveNetworkSecurityGroupNotAvailable"));
  await compute.virtualMachines.createOrUpdate("g", "vm", machine(nicId), call);
  assert.deepEqual((await groups()).value, []);
  const rule = {
    ...{ name: "web", priority: 100, direction: "Inbound", access: "Allow", protocol: "Tcp" },
    ...{ sourceAddressPrefix: "*", sourcePortRange: "*" },
    ...{ destinationAddressPrefix: "*", destinationPortRange: "443" },
  };
  const nsg = await network.networkSecurityGroups.createOrUpdate(
    "g",
    "nsg",
    { location, securityRules: [rule] },
    call,
  );
  const subnet = { addressPrefix: "10.0.0.0/24", networkSecurityGroup: { id: nsg.id ?? "" } };
  await network.subnets.createOrUpdate("g", "vnet", "s", subnet, call);
  const [found, ...others] = (await groups()).value ?? [];
  assert.equal(others.length, 0);
  assert.match(found?.association?.subnet?.id ?? "", /\/subnets\/s$/);
  const rules = found?.effectiveSecurityRules ?? [];
  assert.deepEqual([rules[0]?.name, rules[0]?.destinationPortRange], ["securityRules/web", "443"]);
  assert.equal(rules.length, 7);
});

test("a running machine accepts scripts, and extensions with hidden secrets", async () => {
  const { azure, call, compute, nicId } = await withNetwork();
  await using _ = azure;
  const machines = compute.virtualMachines;
  await machines.createOrUpdate("g", "vm", machine(nicId), call);
  const script = { commandId: "RunShellScript", script: ["uptime"] };
  const { value } = await machines.runCommand("g", "vm", script, call).pollUntilDone(call);
  assert.equal(value?.[0]?.code, "ProvisioningState/succeeded");
  const kind = ["Microsoft.Azure.Extensions", "customScript"] as const;
  const publishers = await compute.virtualMachineImages.listPublishers(location, call);
  assert.ok(publishers.some(({ name }) => name === kind[0]));
  const types = await compute.virtualMachineExtensionImages.listTypes(location, kind[0], call);
  assert.deepEqual(
    types.map(({ name }) => name),
    ["CustomScript"],
  );
  const [newest] = await compute.virtualMachineExtensionImages.listVersions(location, ...kind, call);
  assert.equal(newest?.name, "2.1.13");
  const extension = {
    ...{ location, publisher: "Microsoft.Azure.Extensions", typePropertiesType: "CustomScript" },
    ...{ typeHandlerVersion: "2.1", settings: { commandToExecute: "id" } },
    protectedSettings: { secret: "hush" },
  };
  await compute.virtualMachineExtensions.createOrUpdate("g", "vm", "script", extension, call);
  const listed = await compute.virtualMachineExtensions.list("g", "vm", call);
  assert.deepEqual(
    listed.value?.map(({ name, publisher, protectedSettings }) => [name, publisher, protectedSettings]),
    [["script", "Microsoft.Azure.Extensions", undefined]],
  );
  await compute.virtualMachineExtensions.delete("g", "vm", "script", call);
  await machines.reapply("g", "vm", call);
  await machines.deallocate("g", "vm", call);
  await assert.rejects(machines.runCommand("g", "vm", script, call), code("OperationNotAllowed"));
});

test("data disks are created with a machine or attached to it, and remain after they are detached", async () => {
  const { azure, call, compute, nicId } = await withNetwork();
  await using _ = azure;
  const body = machine(nicId);
  const machines = compute.virtualMachines;
  const withDisks = (dataDisks: DataDisk[]) => ({
    ...body,
    storageProfile: { ...body.storageProfile, dataDisks },
  });
  const bare = await machines.createOrUpdate("g", "vm", body, call);
  assert.deepEqual(bare.storageProfile?.dataDisks, []);
  const empty = { location, creationData: { createOption: "Empty" as const }, diskSizeGB: 8 };
  const { id = "" } = await compute.disks.createOrUpdate("g", "mine", empty, call);
  const made = await machines.createOrUpdate(
    "g",
    "vm",
    withDisks([
      { lun: 0, createOption: "Empty", diskSizeGB: 16 },
      { lun: 1, name: "mine", createOption: "Attach", managedDisk: { id } },
    ]),
    call,
  );
  assert.deepEqual(
    made.storageProfile?.dataDisks?.map(({ name }) => name),
    ["vm_DataDisk_0", "mine"],
  );
  const states = async () => {
    const disks = await Array.fromAsync(compute.disks.listByResourceGroup("g", call));
    return disks.map(({ name, diskSizeGB, diskState }) => `${name} ${diskSizeGB} ${diskState}`).sort();
  };
  const system = "vm_OsDisk_1 128 Attached";
  assert.deepEqual(await states(), ["mine 8 Attached", "vm_DataDisk_0 16 Attached", system]);
  await assert.rejects(compute.disks.delete("g", "mine", call), code("OperationNotAllowed"));
  await machines.createOrUpdate("g", "vm", withDisks([]), call);
  assert.deepEqual(await states(), ["mine 8 Unattached", "vm_DataDisk_0 16 Unattached", system]);
  const absent = { lun: 0, createOption: "Attach", managedDisk: { id: `${id}x` } };
  await assert.rejects(
    machines.createOrUpdate("g", "vm", withDisks([absent]), call),
    code("InvalidResourceReference"),
  );
});

test("sizes and images of a location are listed with the properties that installers read", async () => {
  const { azure, call, compute } = await withNetwork();
  await using _ = azure;
  azure.change({ skus: { [location]: { Standard_D2s_v3: "absent" } } });
  const sizes = await Array.fromAsync(compute.virtualMachineSizes.list(location, call));
  const four = sizes.find(({ name }) => name === "Standard_D4s_v3");
  assert.deepEqual([four?.numberOfCores, four?.memoryInMB], [4, 16_384]);
  assert.ok(!sizes.some(({ name }) => name === "Standard_D2s_v3"));
  const images = compute.virtualMachineImages;
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
  const publishers = names(await images.listPublishers(location, call));
  assert.ok(publishers.includes("azureopenshift") && publishers.includes("Canonical"));
  const jammy = ["0001-com-ubuntu-server-jammy", "22_04-lts-gen2"] as const;
  assert.ok(names(await images.listOffers(location, "canonical", call)).includes(jammy[0]));
  assert.ok(names(await images.listSkus(location, "Canonical", jammy[0], call)).includes(jammy[1]));
  const newest = { ...call, top: 1, orderby: "name desc" };
  const [version, ...older] = names(await images.list(location, "Canonical", ...jammy, newest));
  assert.deepEqual([older, version], [[], "22.04.202510020"]);
  const image = await images.get(location, "Canonical", ...jammy, version ?? "", call);
  assert.deepEqual([image.hyperVGeneration, image.osDiskImage?.operatingSystem], ["V2", "Linux"]);
  await assert.rejects(images.listOffers(location, "nobody", call), isNotFound);
  const openShift = async (sku: string, openShiftVersion: string) =>
    (await images.get(location, "azureopenshift", "aro4", sku, openShiftVersion, call)).hyperVGeneration;
  assert.equal(await openShift("aro_419", "419.6.20250523"), "V1");
  assert.equal(await openShift("419-v2", "419.6.20250523"), "V2");
  await assert.rejects(openShift("aro_419", "latest"), isNotFound);
});

test("a failed resource stays Failed until it is written again", async () => {
  const { azure, call, network, nicId } = await withNetwork();
  await using _ = azure;
  azure.change({ failed: { [nicId.toLowerCase()]: true } });
  const nic = await network.networkInterfaces.get("g", "nic", call);
  assert.equal(nic.provisioningState, "Failed");
  const written = await network.networkInterfaces.createOrUpdate("g", "nic", nic, call).pollUntilDone(call);
  assert.equal(written.provisioningState, "Succeeded");
  assert.equal((await network.networkInterfaces.get("g", "nic", call)).provisioningState, "Succeeded");
  assert.throws(() => azure.change({ failed: { "/UPPER": true } }));
});

test("a second action waits for the first: the client must retry", async () => {
  const { azure, call, compute, nicId } = await withNetwork({ vmActionMs: 60_000, vmCreateMs: 0 });
  await using _ = azure;
  await compute.virtualMachines.createOrUpdate("g", "vm", machine(nicId), call);
  await compute.virtualMachines.restart("g", "vm", call).submitted();
  await assert.rejects(compute.virtualMachines.powerOff("g", "vm", call), code("AnotherOperationInProgress"));
});

test("a creation that is asked for again is the same creation", async () => {
  const { azure, call, compute, nicId } = await withNetwork({ vmCreateMs: 200 });
  await using _ = azure;
  const first = compute.virtualMachines.createOrUpdate("g", "vm", machine(nicId), call);
  await first.submitted();
  const second = await compute.virtualMachines
    .createOrUpdate("g", "vm", machine(nicId), call)
    .pollUntilDone(call);
  assert.equal((await first.pollUntilDone(call)).vmId, second.vmId);
});

test("deleting a machine keeps its resources, unless their delete option is Delete", async () => {
  const { azure, call, network, compute, nicId } = await withNetwork({ vmDeleteMs: 30 });
  await using _ = azure;
  const disks = () => Array.fromAsync(compute.disks.listByResourceGroup("g", call));
  await compute.virtualMachines.createOrUpdate("g", "vm", machine(nicId), call);
  await compute.virtualMachines.delete("g", "vm", call).pollUntilDone(call);
  await assert.rejects(compute.virtualMachines.get("g", "vm", call), isNotFound);
  assert.equal((await network.networkInterfaces.get("g", "nic", call)).virtualMachine, undefined);
  assert.deepEqual(
    (await disks()).map((each) => each.diskState),
    ["Unattached"],
  );
  await compute.virtualMachines.createOrUpdate("g", "vm", machine(nicId, { deleteOption: "Delete" }), call);
  await compute.virtualMachines.delete("g", "vm", call).pollUntilDone(call);
  assert.deepEqual(await disks(), []);
  await assert.rejects(network.networkInterfaces.get("g", "nic", call), isNotFound);
  await compute.virtualMachines.delete("g", "vm", call).pollUntilDone(call);
});

test("a machine that is deleted during its creation never runs", async () => {
  const { azure, call, compute, nicId } = await withNetwork({ vmCreateMs: 100, vmDeleteMs: 200 });
  await using _ = azure;
  const creation = compute.virtualMachines.createOrUpdate("g", "vm", machine(nicId), call);
  await creation.submitted();
  const deletion = compute.virtualMachines.delete("g", "vm", call);
  await deletion.submitted();
  await assert.rejects(creation.pollUntilDone(call));
  await deletion.pollUntilDone(call);
  await assert.rejects(compute.virtualMachines.get("g", "vm", call), isNotFound);
});

test("an invalid machine is rejected with its error", async () => {
  const { azure, call, compute, nicId } = await withNetwork();
  await using _ = azure;
  const put = (name: string, body: object) =>
    compute.virtualMachines.createOrUpdate("g", name, { location, ...body }, call);
  await put("taken", machine(nicId));
  await assert.rejects(put("vm", { ...machine(nicId), hardwareProfile: {} }), code("InvalidParameter"));
  await assert.rejects(
    put("vm", { ...machine(nicId), networkProfile: {} }),
    code("VirtualMachineMustHaveNetworkInterface"),
  );
  await assert.rejects(put("vm", machine(nicId)), code("NicInUse"));
  await assert.rejects(put("vm", machine(`${nicId}-absent`)), code("InvalidResourceReference"));
  assert.equal(
    (await Array.fromAsync(compute.disks.listByResourceGroup("g", call))).length,
    1,
    "no disk of a refused one",
  );
});
