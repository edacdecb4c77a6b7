import { type Controller, done, type Result, watch, watchMapped } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { recordAt, textAt } from "../../base/fields.ts";
import { resources } from "../../base/resources.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { writeStatus } from "../../workload-context/write-status.ts";

const { persistentVolumeClaims: claims, persistentVolumes: resource } = resources;

/** Releases the volumes of deleted claims. Deletes them if their reclaim policy is `Delete`. */
export const volumeReclaim: Controller<WorkloadContext> = {
  name: "volume-reclaim",
  watches: [
    watch(resource),
    watchMapped(claims, (claim) => {
      const volume = textAt(claim, "spec", "volumeName");
      return volume ? [{ name: volume }] : [];
    }),
  ],
  reconcile,
};

async function reconcile(key: ObjectKey, context: WorkloadContext): Promise<Result> {
  const volume = context.informer(resource).get(key);
  const phase = textAt(volume, "status", "phase");
  if (!volume || (phase !== "Bound" && phase !== "Released")) return done;
  const [namespace, name, uid] = ["namespace", "name", "uid"].map((field) =>
    textAt(volume, "spec", "claimRef", field),
  );
  if (name === undefined || uid === undefined) return done;
  const claim = context.informer(claims).get({ ...(namespace !== undefined && { namespace }), name });
  if (claim?.metadata.uid === uid) return done;
  const released = await writeStatus(context, resource, volume, {
    ...recordAt(volume, "status"),
    phase: "Released",
  });
  if (textAt(volume, "spec", "persistentVolumeReclaimPolicy") === "Delete") {
    await context.delete(resource, released);
  }
  return done;
}
