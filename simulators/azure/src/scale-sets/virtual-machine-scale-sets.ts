import type { JsonObject } from "@keelson/base";
import { badRequest } from "../arm/arm-error.ts";
import { ok } from "../arm/exchange.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Draft, ResourceType } from "../arm/resource-type.ts";
import { type Subscription, timestamp } from "../arm/subscription.ts";
import { at, members, nonEmptyStringAt, objectsAt, without, withProperties } from "../base/json.ts";
import { healthOf } from "./instance-health.ts";
import { fitCapacity, instancesOf } from "./instances.ts";

const ipConfiguration = [
  "virtualMachineProfile",
  "networkProfile",
  "networkInterfaceConfigurations",
  "*",
  "properties",
  "ipConfigurations",
  "*",
  "properties",
];

/**
 * Scale sets of identical machines. States: `Creating` -> `Succeeded` (all machines run) -> `Deleting` -> removed. Capacity
 * changes apply immediately. Machines have no network interfaces and no addresses.
 */
export const virtualMachineScaleSets: ResourceType = {
  namespace: "Microsoft.Compute",
  type: "virtualMachineScaleSets",
  names: /^[A-Za-z0-9_]([\w.-]{0,62}[\w-])?$/,
  readOnly: ["uniqueId", "timeCreated"],
  references: [
    { path: [...ipConfiguration, "subnet"] },
    { path: [...ipConfiguration, "loadBalancerBackendAddressPools"] },
    { path: ["virtualMachineProfile", "networkProfile", "healthProbe"] },
  ],
  duration: {
    create: (subscription) => subscription.timings.vmCreateMs,
    delete: (subscription) => subscription.timings.vmDeleteMs,
  },
  actions: {
    instanceView: {
      method: "GET",
      run: (record, _request, subscription) => ok(instanceView(record, subscription)),
    },
  },
  prepare(draft, subscription) {
    checkModel(draft, subscription);
    const profile = members(at(draft.body, "properties", "virtualMachineProfile"));
    const osProfile = members(profile.osProfile);
    const customData =
      nonEmptyStringAt(osProfile, "customData") ?? nonEmptyStringAt(draft.existing?.hidden, "customData");
    const body = withProperties(draft.body, {
      uniqueId:
        nonEmptyStringAt(draft.existing?.body, "properties", "uniqueId") ??
        subscription.newIds.next(draft.id, "uniqueId"),
      timeCreated: draft.existing?.createdAt ?? timestamp(subscription),
      virtualMachineProfile: { ...profile, osProfile: without(osProfile, ["customData", "adminPassword"]) },
    });
    if (nonEmptyStringAt(draft.existing?.body, "properties", "provisioningState") === "Succeeded") {
      fitCapacity({ id: draft.id, name: draft.name, body }, subscription);
    }
    return { body, hidden: { ...draft.existing?.hidden, ...(customData ? { customData } : {}) } };
  },
  settled(record, action, subscription) {
    if (action === "write") fitCapacity(record, subscription);
    return record;
  },
};

function checkModel({ body, name }: Draft, subscription: Subscription): void {
  if (!/^(Standard|Basic)_\w+$/.test(nonEmptyStringAt(body, "sku", "name") ?? "")) {
    throw badRequest("InvalidParameter", "The value of parameter sku.name is invalid.");
  }
  const capacity = at(body, "sku", "capacity");
  if (typeof capacity !== "number" || !Number.isInteger(capacity) || capacity < 0 || capacity > 1_000) {
    throw badRequest(
      "InvalidParameter",
      "The value of parameter sku.capacity is invalid: it is between 0 and 1000.",
    );
  }
  const profile = at(body, "properties", "virtualMachineProfile");
  const prefix = nonEmptyStringAt(profile, "osProfile", "computerNamePrefix") ?? name;
  if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,57}$/.test(prefix)) {
    throw badRequest(
      "InvalidParameter",
      `Linux host name prefix '${prefix}' cannot exceed 58 characters in length or contain other characters than letters, digits and '-'.`,
    );
  }
  if (objectsAt(profile, "networkProfile", "networkInterfaceConfigurations").length === 0) {
    throw badRequest(
      "InvalidParameter",
      "Required parameter 'networkProfile.networkInterfaceConfigurations' is missing (null).",
    );
  }
  for (const id of Object.keys(members(at(body, "identity", "userAssignedIdentities")))) {
    if (!subscription.resources.find(id)) {
      throw badRequest(
        "FailedIdentityOperation",
        `Identity operation for resource '${name}' failed with error 'Failed to perform resource identity operation. Status: 'NotFound'. Response: '${id}''.`,
      );
    }
  }
}

function instanceView(record: ResourceRecord, subscription: Subscription): JsonObject {
  const instances = instancesOf(record, subscription);
  const count = (codes: readonly string[]) =>
    [...new Set(codes)].map((code) => ({ code, count: codes.filter((each) => each === code).length }));
  const health = instances.flatMap(
    (each) => nonEmptyStringAt(healthOf(each, record, subscription), "status", "code") ?? [],
  );
  const provisioning = nonEmptyStringAt(record.body, "properties", "provisioningState") ?? "";
  return {
    virtualMachine: {
      statusesSummary: [...count(instances.map(() => "ProvisioningState/succeeded")), ...count(health)],
    },
    statuses: [
      {
        code: `ProvisioningState/${provisioning.toLowerCase()}`,
        level: "Info",
        displayStatus: provisioning,
        time: record.changedAt,
      },
    ],
  };
}
