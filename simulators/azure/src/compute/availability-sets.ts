import { ArmError, badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { at, nonEmptyStringAt, withProperties } from "../base/json.ts";

export const availabilitySets: ResourceType = {
  namespace: "Microsoft.Compute",
  type: "availabilitySets",
  provisioningState: false,
  statuses: { created: 200 },
  names: /^[A-Za-z0-9_][\w.-]{0,79}$/,
  readOnly: ["virtualMachines", "statuses"],
  inUse: (record) =>
    new ArmError(
      409,
      "OperationNotAllowed",
      `Availability Set '${record.name}' cannot be deleted. Before deleting an Availability Set please ensure that it does not contain any VM.`,
    ),
  prepare({ name, body, existing }) {
    const faultDomains = at(body, "properties", "platformFaultDomainCount") ?? 2;
    const before = at(existing?.body, "properties", "platformFaultDomainCount") ?? faultDomains;
    if (![1, 2, 3].some((each) => each === faultDomains) || before !== faultDomains) {
      throw badRequest(
        "InvalidParameter",
        `The specified fault domain count ${String(faultDomains)} of availability set ${name} must fall in the range 1 to 3, and stays what it was.`,
      );
    }
    return {
      body: {
        ...withProperties(body, {
          platformFaultDomainCount: faultDomains,
          platformUpdateDomainCount: at(body, "properties", "platformUpdateDomainCount") ?? 5,
        }),
        sku: { name: nonEmptyStringAt(body, "sku", "name") ?? "Classic" },
      },
    };
  },
  render(record, subscription) {
    const machines = subscription.resources.referrers(record.id).map(({ holder }) => ({ id: holder }));
    return withProperties(record.body, { virtualMachines: machines });
  },
};
