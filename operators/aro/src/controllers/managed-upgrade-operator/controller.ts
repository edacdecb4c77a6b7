import { flagOr } from "@keelson/aro-api";
import { resources } from "@keelson/kube";
import { type AroController, type AroResult, done } from "../../runtime/aro-controller.ts";
import { applyBundle, bundlePermissions, bundleWatches, removeBundle } from "../../runtime/bundle.ts";
import {
  clusterVersionChanged,
  clusterVersionPermission,
  getClusterVersion,
  installedVersion,
  isBefore,
} from "../../runtime/cluster-version.ts";
import type { Request } from "../../runtime/operator-context.ts";
import { muoBundle, muoImage } from "./bundle.ts";
import { name, namespace } from "./names.ts";
import { readiness, conditionType as type } from "./readiness.ts";

/** Names alone count where objects are watched and removed. */
const anyBundle = muoBundle({ image: "", supportsPodSecurity: true });

/** Deploys the managed upgrade operator, removes it, or leaves it alone. */
export const managedUpgradeOperator: AroController = {
  name: "ManagedUpgradeOperator",
  flag: "rh.srep.muo.enabled",
  watches: [clusterVersionChanged, ...bundleWatches(anyBundle)],
  permissions: [clusterVersionPermission, ...bundlePermissions(anyBundle)],
  async reconcile(request) {
    const { flags, objects, status } = request;
    const managed = flagOr(flags, "rh.srep.muo.managed", "").toLowerCase();
    if (managed === "true") return deploy(request);
    if (managed === "false") {
      await removeBundle(objects, anyBundle);
      await status.set([
        { type, status: "Unknown", reason: "Removed", message: "rh.srep.muo.managed is false" },
      ]);
    } else {
      const message = "rh.srep.muo.managed is neither true nor false";
      await status.set([{ type, status: "Unknown", reason: "NotManaged", message }]);
    }
    return done;
  },
};

/** @throws Error when the deployment has not become ready within its time */
async function deploy(request: Request): Promise<AroResult> {
  const { clock, cluster, objects, status } = request;
  const image = muoImage(cluster.spec ?? {});
  const version = installedVersion(await getClusterVersion(objects));
  await applyBundle(request, muoBundle({ image, supportsPodSecurity: !isBefore(version, [4, 11, 0]) }));
  const deployment = await objects.find(resources.deployments, { namespace, name });
  const { condition, deadlineInMs, failure } = readiness(deployment, cluster, clock.now());
  await status.set([condition]);
  if (failure !== undefined) throw new Error(failure);
  return deadlineInMs === undefined ? done : { requeueAfterMs: deadlineInMs };
}
