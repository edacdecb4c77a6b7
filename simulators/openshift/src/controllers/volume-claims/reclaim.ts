import { keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { recordAt, textAt } from "../../runtime/fields.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import type { WorkloadContext } from "../../workloads/workload-context.ts";
import type { WorkloadController } from "../../workloads/workload-controller.ts";
import { workloadResources } from "../../workloads/workload-resources.ts";
import { writeStatus } from "../../workloads/write-status.ts";

const { persistentVolumeClaims: claims, persistentVolumes: resource } = workloadResources;

/** Releases volumes whose claim is gone, and deletes those whose reclaim policy says so. */
export const volumeReclaim: WorkloadController = {
  name: "volume-reclaim",
  watches: [
    { resource, keys: (volume) => [keyOf(volume)] },
    {
      resource: claims,
      keys: (claim) => {
        const volume = textAt(claim, "spec", "volumeName");
        return volume ? [volume] : [];
      },
    },
  ],
  reconcile,
};

async function reconcile(key: string, context: WorkloadContext): Promise<Outcome> {
  const volume = context.cache(resource).get(parseKey(key));
  const phase = textAt(volume, "status", "phase");
  if (!volume || (phase !== "Bound" && phase !== "Released")) return settled;
  const [namespace, name, uid] = ["namespace", "name", "uid"].map((field) =>
    textAt(volume, "spec", "claimRef", field),
  );
  if (name === undefined || uid === undefined) return settled;
  const claim = context.cache(claims).get({ namespace, name });
  if (claim?.metadata.uid === uid) return settled;
  const released = await writeStatus(context, resource, volume, {
    ...recordAt(volume, "status"),
    phase: "Released",
  });
  if (textAt(volume, "spec", "persistentVolumeReclaimPolicy") === "Delete") {
    await context.delete(resource, released);
  }
  return settled;
}
