import type { JsonObject } from "@keelson/base";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { parentId, sameId } from "../arm/arm-path.ts";
import { ok } from "../arm/exchange.ts";
import { removeResource } from "../arm/removal.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Draft, ResourceType } from "../arm/resource-type.ts";
import { type Subscription, timestamp } from "../arm/subscription.ts";
import { at, members, nonEmptyStringAt, objectsAt, without, withProperties } from "../base/json.ts";
import { runCommand } from "../scale-sets/run-command.ts";
import { retrieveBootDiagnostics, withBoot } from "./boot-diagnostics.ts";
import { agentStatus } from "./boot-problem.ts";
import { ensureDisk } from "./disks.ts";
import { extensionVersionViews } from "./machine-extensions.ts";
import { machineImageViews } from "./machine-images.ts";
import { checkMachineLimits } from "./machine-limits.ts";
import { sizesIn } from "./machine-size-list.ts";
import { powerAction, powerAfter, powerStatuses } from "./power/power-actions.ts";
import { withPowerState } from "./power/power-state.ts";

export const virtualMachineType = "Microsoft.Compute/virtualMachines";

/**
 * Virtual machines. States: `Creating` -> `Succeeded` (running) -> `Updating` (an action) -> `Succeeded`. Every state can change
 * to `Deleting`, after which the machine is removed. An update of an existing machine does not change its power state.
 */
export const virtualMachines: ResourceType = {
  namespace: "Microsoft.Compute",
  type: "virtualMachines",
  names: /^[A-Za-z0-9_]([\w.-]{0,62}[\w-])?$/,
  readOnly: ["instanceView", "vmId", "timeCreated"],
  references: [
    { path: ["networkProfile", "networkInterfaces"] },
    { path: ["storageProfile", "osDisk", "managedDisk"] },
    { path: ["storageProfile", "osDisk", "managedDisk", "diskEncryptionSet"] },
    { path: ["storageProfile", "dataDisks", "*", "managedDisk"] },
    { path: ["availabilitySet"] },
  ],
  duration: {
    create: (subscription) => subscription.timings.vmCreateMs,
    delete: (subscription) => subscription.timings.vmDeleteMs,
  },
  actions: {
    start: powerAction("start"),
    restart: powerAction("restart"),
    redeploy: powerAction("redeploy"),
    reapply: powerAction("reapply"),
    reimage: powerAction("reimage"),
    powerOff: powerAction("powerOff"),
    deallocate: powerAction("deallocate"),
    instanceView: { method: "GET", run: (record) => ok(instanceView(record)) },
    retrieveBootDiagnosticsData: { method: "POST", run: retrieveBootDiagnostics },
    runCommand: { method: "POST", run: runCommand },
    vmSizes: {
      method: "GET",
      run: (record, _request, subscription) =>
        sizesIn(nonEmptyStringAt(record.body, "location"), subscription),
    },
  },
  views: {
    ...machineImageViews,
    ...extensionVersionViews,
    "locations/vmSizes": {
      method: "GET",
      run: ([location], _request, subscription) => sizesIn(location, subscription),
    },
  },
  prepare(draft, subscription) {
    if (
      !/^(Standard|Basic)_\w+$/.test(
        nonEmptyStringAt(draft.body, "properties", "hardwareProfile", "vmSize") ?? "",
      )
    ) {
      throw badRequest("InvalidParameter", "The value of parameter hardwareProfile.vmSize is invalid.");
    }
    checkNetworkInterfaces(draft, subscription);
    checkMachineLimits(subscription, {
      location: nonEmptyStringAt(draft.body, "location") ?? "",
      size: nonEmptyStringAt(draft.body, "properties", "hardwareProfile", "vmSize") ?? "",
      before: nonEmptyStringAt(draft.existing?.body, "properties", "hardwareProfile", "vmSize"),
    });
    const osProfile = members(at(draft.body, "properties", "osProfile"));
    const customData =
      nonEmptyStringAt(osProfile, "customData") ?? nonEmptyStringAt(draft.existing?.hidden, "customData");
    const body = withProperties(draft.body, {
      vmId:
        nonEmptyStringAt(draft.existing?.body, "properties", "vmId") ??
        subscription.newIds.next(draft.id, "vmId"),
      timeCreated: draft.existing?.createdAt ?? timestamp(subscription),
      ...(Object.keys(osProfile).length > 0
        ? { osProfile: without(osProfile, ["customData", "adminPassword"]) }
        : {}),
      storageProfile: withDisks(draft, subscription),
    });
    return { body, hidden: { ...draft.existing?.hidden, ...(customData ? { customData } : {}) } };
  },
  settled(record, action, subscription) {
    const power = powerAfter[action];
    if (power === undefined) return record;
    const powered = withPowerState(record, power);
    return power === "running" ? withBoot(powered, timestamp(subscription)) : powered;
  },
  removed(record, subscription) {
    for (const id of ownedBy(record)) {
      const owned = subscription.resources.find(id);
      if (owned) removeResource(subscription, owned);
    }
  },
  render(record, _subscription, request) {
    const expand = request?.query.get("$expand")?.toLowerCase() ?? "";
    return expand.includes("instanceview")
      ? withProperties(record.body, { instanceView: instanceView(record) })
      : record.body;
  },
};

export function networkInterfacesOf(record: { readonly body: JsonObject }): readonly string[] {
  return objectsAt(record.body, "properties", "networkProfile", "networkInterfaces")
    .map((each) => nonEmptyStringAt(each, "id"))
    .filter((id) => id !== undefined);
}

function checkNetworkInterfaces(draft: Draft, subscription: Subscription): void {
  const ids = networkInterfacesOf(draft);
  if (ids.length === 0) {
    throw badRequest(
      "VirtualMachineMustHaveNetworkInterface",
      `Virtual machine ${draft.id} needs a network interface.`,
    );
  }
  for (const id of ids) {
    const other = subscription.resources.referrers(id).find(({ holder }) => !sameId(holder, draft.id));
    if (other) {
      throw badRequest("NicInUse", `Network Interface ${id} is used by existing resource ${other.holder}.`);
    }
  }
}

function withDisks(draft: Draft, subscription: Subscription): JsonObject {
  const storage = members(at(draft.body, "properties", "storageProfile"));
  const before = members(at(draft.existing?.body, "properties", "storageProfile", "osDisk"));
  const wanted = members(storage.osDisk);
  const name =
    nonEmptyStringAt(wanted, "name") ?? nonEmptyStringAt(before, "name") ?? `${draft.name}_OsDisk_1`;
  if (nonEmptyStringAt(before, "name") !== undefined && nonEmptyStringAt(before, "name") !== name) {
    throw new ArmError(409, "PropertyChangeNotAllowed", "Changing property 'osDisk.name' is not allowed.");
  }
  const place = {
    groupPath: parentId(draft.id).replace(/\/providers\/[^/]+$/i, ""),
    location: nonEmptyStringAt(draft.body, "location") ?? "",
  };
  const osDisk = ensureDisk({ ...place, name, wanted, osType: "Linux" }, subscription);
  const dataDisks = objectsAt(storage, "dataDisks").map((each) => {
    // The value `attach` attaches an existing disk, so no disk is created.
    if (nonEmptyStringAt(each, "createOption")?.toLowerCase() === "attach") return each;
    const named = nonEmptyStringAt(each, "name") ?? `${draft.name}_DataDisk_${String(each.lun ?? 0)}`;
    return { ...each, name: named, ...ensureDisk({ ...place, name: named, wanted: each }, subscription) };
  });
  return { ...storage, osDisk: { ...before, ...wanted, name, ...osDisk }, dataDisks };
}

/** Returns the IDs of the resources that are deleted together with the machine, according to `deleteOption`. */
function ownedBy(record: ResourceRecord): readonly string[] {
  const properties = record.body.properties;
  const disks = [
    at(properties, "storageProfile", "osDisk"),
    ...objectsAt(properties, "storageProfile", "dataDisks"),
  ];
  const nics = objectsAt(properties, "networkProfile", "networkInterfaces");
  return [
    ...disks
      .filter((each) => nonEmptyStringAt(each, "deleteOption") === "Delete")
      .map((each) => nonEmptyStringAt(each, "managedDisk", "id")),
    ...nics
      .filter((each) => nonEmptyStringAt(each, "properties", "deleteOption") === "Delete")
      .map((each) => nonEmptyStringAt(each, "id")),
  ].filter((id) => id !== undefined);
}

function instanceView(record: ResourceRecord): JsonObject {
  return { ...agentStatus(record), statuses: powerStatuses(record) };
}
