import { isFlagOn } from "@keelson/aro-api";
import { type KubeObject, resources } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";
import { kubeletConfigChange, kubeletConfigRemoval } from "../../machine-configs/kubelet-config-change.ts";
import { getClusterVersion, installedVersion, isBefore } from "../../runtime/cluster-version.ts";
import type { RebootChange } from "../../runtime/reboot-gate.ts";
import type { Workaround } from "./workaround.ts";

export const workerPool = { name: "worker" };
export const kubeletConfigName = "aro-limits";
const label = "aro.openshift.io/limits";
const resource = resources.machineConfigPools;

const kubeletConfig: WantedObject = {
  metadata: { name: kubeletConfigName, labels: { [label]: "" } },
  spec: {
    machineConfigPoolSelector: { matchLabels: { [label]: "" } },
    kubeletConfig: {
      systemReserved: { memory: "2000Mi" },
      evictionHard: {
        "memory.available": "500Mi",
        "nodefs.available": "10%",
        "nodefs.inodesFree": "5%",
        "imagefs.available": "15%",
      },
    },
  },
};

/** Sets the memory that worker nodes reserve for the system. It applies to nodes that are not auto-sized. */
export const systemReserved: Workaround = {
  name: "SystemReserved fix for bz-1857446",
  async plan({ flags, objects }) {
    const pool = await objects.find(resource, workerPool);
    if (!pool) throw new Error(`machineconfigpools.machineconfiguration.openshift.io "worker" not found`);
    const sized = isFlagOn(flags, "aro.autosizednodes.enabled");
    const isRequired = !sized && isBefore(installedVersion(await getClusterVersion(objects)), [4, 99, 0]);
    return isRequired
      ? [...poolChange(pool, ""), ...(await kubeletConfigChange(objects, kubeletConfig))]
      : [...poolChange(pool, null), ...(await kubeletConfigRemoval(objects, kubeletConfigName))];
  },
};

/**
 * Returns the change that adds or removes the pool's label. The change contains the pool's UID, so that the apply cannot recreate
 * a deleted pool.
 */
function poolChange({ metadata }: KubeObject, value: "" | null): readonly RebootChange[] {
  if ((metadata.labels?.[label] ?? null) === value) return [];
  const { name, uid } = metadata;
  const object = { metadata: { name, ...(uid === undefined ? {} : { uid }), labels: { [label]: value } } };
  return [{ operation: "update", resource, object, anyTime: false }];
}
