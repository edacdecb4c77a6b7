import { objectAt, stringAt } from "@keelson/base";
import { type Controller, done, type Result, watch, watchMapped } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
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
      const volume = stringAt(claim, "spec", "volumeName");
      return volume ? [{ name: volume }] : [];
    }),
  ],
  reconcile,
};

async function reconcile(key: ObjectKey, context: WorkloadContext): Promise<Result> {
  const volume = context.informer(resource).get(key);
  const phase = stringAt(volume, "status", "phase");
  if (!volume || (phase !== "Bound" && phase !== "Released")) return done;
  const [namespace, name, uid] = ["namespace", "name", "uid"].map((field) =>
    stringAt(volume, "spec", "claimRef", field),
  );
  if (name === undefined || uid === undefined) return done;
  const claim = context.informer(claims).get({ ...(namespace !== undefined && { namespace }), name });
  if (claim?.metadata.uid === uid) return done;
  const released = await writeStatus(context, resource, volume, {
    ...objectAt(volume, "status"),
    phase: "Released",
  });
  if (stringAt(volume, "spec", "persistentVolumeReclaimPolicy") === "Delete") {
    await context.delete(resource, released);
  }
  return done;
}
