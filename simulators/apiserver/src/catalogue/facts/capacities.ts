import { recordAt, textAt } from "../../json/access.ts";
import type { Findings } from "../findings.ts";
import { quantityOf } from "../quantity.ts";
import { isExtendedResource, isIntegerResource } from "../resource-names.ts";
import type { GroupFacts } from "./group-facts.ts";

/**
 * What the statuses of nodes and claims say that there is. Facts: kubernetes pkg/apis/core/validation/validation.go
 * (ValidateNode, ValidateResourceQuantityValue, ValidatePersistentVolumeClaimStatusUpdate).
 */
export const capacityFacts: GroupFacts = {
  defaults: "",
  checks: {
    "core.v1.NodeStatus": [
      ["addresses", distinctAddresses],
      ["capacity", nodeResources],
      ["allocatable", nodeResources],
    ],
    "core.v1.PersistentVolumeClaimStatus": [
      ["capacity", claimResources],
      ["allocatedResources", sizedResources, claimResources],
      ["allocatedResourceStatuses", sizedResources, resizeStatuses],
    ],
  },
};

function nodeResources(value: unknown, findings: Findings): void {
  for (const [name, amount] of Object.entries(recordAt(value))) {
    const quantity = quantityOf(String(amount));
    if (quantity < 0) findings.invalid(amount, "must be greater than or equal to 0", name);
    if (isIntegerResource(name) && !Number.isInteger(quantity))
      findings.invalid(amount, "must be an integer", name);
  }
}

function distinctAddresses(value: unknown, findings: Findings): void {
  const addresses = Array.isArray(value) ? value : [];
  const seen = new Set<string>();
  for (const [at, each] of addresses.entries()) {
    const shown = { Type: textAt(each, "type"), Address: textAt(each, "address") };
    const key = JSON.stringify(shown);
    if (seen.has(key)) findings.duplicate(shown, at);
    seen.add(key);
  }
}

function claimResources(value: unknown, findings: Findings): void {
  for (const [name, amount] of Object.entries(recordAt(value))) {
    const quantity = quantityOf(String(amount));
    if (quantity < 0) findings.invalid(Math.ceil(quantity), "must be a valid resource quantity", `[${name}]`);
  }
}

/** A claim grows by its storage, and by what drivers call their own. */
function sizedResources(value: unknown, findings: Findings): void {
  for (const name of Object.keys(recordAt(value)))
    if (name !== "storage" && !isExtendedResource(name)) findings.notSupported(name, ["storage"]);
}

const resizes = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

function resizeStatuses(value: unknown, findings: Findings): void {
  for (const [name, state] of Object.entries(recordAt(value)))
    if (!resizes.includes(String(state))) findings.notSupported(name, resizes);
}
