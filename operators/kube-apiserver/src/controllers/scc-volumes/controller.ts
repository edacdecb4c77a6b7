import { listAt } from "@keelson/base";
import { done } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { inputWatches, kubeApiServerController } from "../../runtime/operator-context.ts";

/** SecurityContextConstraints that earlier releases created without the newer volume types. */
const constraints = new Set([
  "anyuid",
  "hostaccess",
  "hostmount-anyuid",
  "hostnetwork",
  "nonroot",
  "restricted",
]);
const volumes = ["ephemeral", "csi"];

/** Adds newer volume types to the SecurityContextConstraints of the release. All existing volume types are kept. */
export const sccVolumes = kubeApiServerController({
  name: "SCCReconcileController",
  degraded: { type: "SCCReconcileControllerDegraded", failed: "SyncError", fine: "AsExpected" },
  watches: inputWatches([{ resource: resources.securityContextConstraints }]),
  async reconcile({ parts: { cache }, objects }) {
    for (const constraint of cache.informer(resources.securityContextConstraints).list()) {
      if (!constraints.has(constraint.metadata.name)) continue;
      const present = listAt(constraint, "volumes");
      if (present.includes("*")) continue;
      const missing = volumes.filter((each) => !present.includes(each));
      if (missing.length === 0) continue;
      await objects.correct(resources.securityContextConstraints, constraint, {
        volumes: [...present, ...missing].sort(),
      });
    }
    return done;
  },
});
