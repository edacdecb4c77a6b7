import { singleton } from "@keelson/aro-api";
import { named, watchFor } from "@keelson/controller";
import { differences, type KubeObject, resources } from "@keelson/kube";
import type { ManagedObjects, WantedObject } from "@keelson/operator-kit";
import { managing, may } from "../runtime/may.ts";
import type { RebootChange } from "../runtime/reboot-gate.ts";

const resource = resources.kubeletConfigs;

/** Returns a watch that reconciles the controller's single key when the KubeletConfig with the given name changes. */
export function kubeletConfigChanged(name: string) {
  return watchFor(resource, singleton, {
    selection: { fieldSelector: `metadata.name=${name}` },
    where: named(name),
  });
}

export const kubeletConfigPermission = may(managing, "machineconfiguration.openshift.io", ["kubeletconfigs"]);

/** Returns the changes to a KubeletConfig. Each change reboots the nodes of the selected pools. */
export async function kubeletConfigChange(
  objects: ManagedObjects,
  wanted: WantedObject,
): Promise<readonly RebootChange[]> {
  const live = await objects.find(resource, { name: wanted.metadata.name });
  if (!live) return [{ operation: "create", resource, object: wanted, anyTime: false }];
  if (isLeaving(live) || !differences(live, wanted)) return [];
  return [{ operation: "update", resource, object: wanted, anyTime: false }];
}

export async function kubeletConfigRemoval(
  objects: ManagedObjects,
  name: string,
): Promise<readonly RebootChange[]> {
  const live = await objects.find(resource, { name });
  if (!live || isLeaving(live)) return [];
  return [{ operation: "delete", resource, object: { metadata: { name } }, anyTime: false }];
}

/** True while the KubeletConfig is terminating. The machine config operator retains it until its MachineConfigs are deleted. */
function isLeaving({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}
