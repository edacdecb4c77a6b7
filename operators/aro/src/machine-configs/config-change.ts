import { controllerReference, isControlledBy } from "@keelson/controller";
import { type KubeObject, resources } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";
import type { RebootChange } from "../runtime/reboot-gate.ts";
import { holdsContent, restoredSpec } from "./content.ts";
import { roleLabel } from "./observed-configs.ts";

const resource = resources.machineConfigs;

export interface WantedConfig {
  readonly name: string;
  /** Role of the node pool that the MachineConfig configures. */
  readonly role: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /** Owner of the MachineConfig. The deletion of the owner also deletes the MachineConfig. */
  readonly owner?: KubeObject;
}

/**
 * Plans the change of a MachineConfig. With `createAnyTime`, a missing MachineConfig is created immediately, although this
 * reboots nodes. As in ARO-RP, the MachineConfig is restored completely. Labels and fields of other writers are removed.
 */
export function configChange(
  live: KubeObject | undefined,
  { name, role, spec, owner }: WantedConfig,
  { createAnyTime }: { readonly createAnyTime: boolean },
): readonly RebootChange[] {
  const ownerReferences = owner ? { ownerReferences: [controllerReference(owner)] } : {};
  const metadata: WantedObject["metadata"] = { name, labels: { [roleLabel]: role }, ...ownerReferences };
  if (!live) return [{ operation: "create", resource, object: { metadata, spec }, anyTime: createAnyTime }];
  if (live.metadata.deletionTimestamp !== undefined) return [];
  const added = Object.keys(live.metadata.labels ?? {}).filter((label) => label !== roleLabel);
  if (live.metadata.labels?.[roleLabel] !== role || added.length > 0 || !holdsContent(live.spec, spec)) {
    const labels = { ...Object.fromEntries(added.map((label) => [label, null])), [roleLabel]: role };
    const object = { metadata: { ...metadata, labels }, spec: restoredSpec(live.spec, spec) };
    return [{ operation: "update", resource, object, anyTime: false }];
  }
  if (!owner || isControlledBy(live, owner)) return [];
  // Only the owner reference is added. The content stays unchanged byte for byte, because a changed content would reboot nodes.
  return [{ operation: "update", resource, object: { metadata, spec: live.spec }, anyTime: true }];
}

export function configRemoval(live: KubeObject | undefined, anyTime: boolean): readonly RebootChange[] {
  if (!live || live.metadata.deletionTimestamp !== undefined) return [];
  return [{ operation: "delete", resource, object: { metadata: { name: live.metadata.name } }, anyTime }];
}
