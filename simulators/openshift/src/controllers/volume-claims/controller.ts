import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { type Controller, done, type Result, watch } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { resources } from "../../base/resources.ts";
import { hasReason } from "../../base/status-reason.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { writeStatus } from "../../workload-context/write-status.ts";

const { persistentVolumeClaims: resource, persistentVolumes } = resources;

/** Creates a volume for each claim. The capacity is unlimited. */
export const volumeClaims: Controller<WorkloadContext> = {
  name: "volume-claims",
  watches: [watch(resource)],
  reconcile,
};

async function reconcile(key: ObjectKey, context: WorkloadContext): Promise<Result> {
  const claim = context.informer(resource).get(key);
  if (!claim || claim.metadata.deletionTimestamp !== undefined) return done;
  if (stringAt(claim, "status", "phase") === "Bound") return done;
  const { name, namespace, uid } = claim.metadata;
  const volumeName = stringAt(claim, "spec", "volumeName") || `pvc-${uid}`;
  const capacity = objectAt(claim, "spec", "resources", "requests");
  const accessModes = listAt(claim, "spec", "accessModes");
  try {
    await context.client.create(persistentVolumes, {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: {
        name: volumeName,
        annotations: { "pv.kubernetes.io/provisioned-by": "disk.csi.azure.com" },
      },
      spec: {
        accessModes,
        capacity,
        claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace, uid },
        persistentVolumeReclaimPolicy: "Delete",
        storageClassName: stringAt(claim, "spec", "storageClassName") ?? "managed-csi",
        volumeMode: stringAt(claim, "spec", "volumeMode") ?? "Filesystem",
        csi: { driver: "disk.csi.azure.com", volumeHandle: volumeName },
      },
      status: { phase: "Bound" },
    });
  } catch (error) {
    if (!hasReason(error, "AlreadyExists")) throw error;
  }
  await context.client.mergePatch(
    persistentVolumes,
    { name: volumeName },
    { status: { phase: "Bound" } },
    "status",
  );
  const bound =
    valueAt(claim, "spec", "volumeName") === volumeName
      ? claim
      : await context.update(resource, { ...claim, spec: { ...objectAt(claim, "spec"), volumeName } });
  await writeStatus(context, resource, bound, { phase: "Bound", accessModes, capacity });
  return done;
}
