import { parseQuantity, type Quantity, scalarStringAt } from "@keelson/apimachinery";
import { storageClassOf } from "../catalogue/storage-class-of.ts";
import type { Evaluator } from "./evaluator.ts";
import { objectCountName, one } from "./object-count.ts";
import { matchesClasses } from "./scopes.ts";

const countName = objectCountName("", "persistentvolumeclaims");
const tracked = ["persistentvolumeclaims", "requests.storage"] as const;
/** Infix of quota resource names that limit the claims of one storage class. */
const classSuffix = ".storageclass.storage.k8s.io/";
const whole = 10n ** 9n;

/**
 * Quota usage of claims.
 * @see kubernetes/kubernetes pkg/quota/v1/evaluator/core/persistent_volume_claims.go
 */
export const claimEvaluator: Evaluator = {
  tracks: (name) =>
    name === countName || tracked.some((each) => name === each || name.endsWith(classSuffix + each)),
  isChargedAgain: () => true,
  isFreed: (claim, current) => (storageOf(claim)?.nano ?? 0n) < (storageOf(current)?.nano ?? 0n),
  matchesScope: (claim, selector) =>
    selector.scope === "VolumeAttributesClass" && matchesClasses(attributesClasses(claim), selector),
  usage(claim) {
    const storage = storageOf(claim);
    const own = [
      ["persistentvolumeclaims", one] as const,
      ...(storage ? [["requests.storage", storage] as const] : []),
    ];
    const storageClass = storageClassOf(claim);
    const ofClass = storageClass
      ? own.map(([name, quantity]) => [storageClass + classSuffix + name, quantity] as const)
      : [];
    return new Map([[countName, one], ...own, ...ofClass]);
  },
};

/** Returns the requested or the allocated storage of a claim in whole bytes, whichever is larger. */
function storageOf(claim: unknown): Quantity | undefined {
  const asked = parseQuantity(scalarStringAt(claim, "spec", "resources", "requests", "storage"));
  if (!asked) return undefined;
  const allocated = parseQuantity(scalarStringAt(claim, "status", "allocatedResources", "storage"));
  const more = allocated && allocated.nano > asked.nano ? allocated : asked;
  return { ...more, nano: ((more.nano + whole - 1n) / whole) * whole };
}

function attributesClasses(claim: unknown): readonly string[] {
  const names = [
    scalarStringAt(claim, "spec", "volumeAttributesClassName"),
    scalarStringAt(claim, "status", "currentVolumeAttributesClassName"),
    scalarStringAt(claim, "status", "modifyVolumeStatus", "targetVolumeAttributesClassName"),
  ];
  return [...new Set(names)].filter((name) => name !== "");
}
