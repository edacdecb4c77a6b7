import { flagOr } from "@keelson/aro-api";
import { resources } from "@keelson/kube";
import { type AroResult, done } from "../../runtime/aro-controller.ts";
import { applyBundle, bundlePermissions, bundleWatches, removeBundle } from "../../runtime/bundle.ts";
import {
  clusterVersionChanged,
  clusterVersionPermission,
  getClusterVersion,
  installedVersion,
  isBefore,
} from "../../runtime/cluster-version.ts";
import { switchedOn, text, triState } from "../../runtime/flags.ts";
import type { Request } from "../../runtime/operator-context.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { muoBundle, muoImage } from "./bundle.ts";
import { name, namespace } from "./names.ts";
import { readiness, conditionType as type } from "./readiness.ts";

/**
 * Bundle for watches and for the removal. Both use only the names of the bundle's objects, so the image and other options are
 * placeholders.
 */
const anyBundle = muoBundle({ image: "", supportsPodSecurity: true });

/**
 * Deploys or removes the managed upgrade operator according to its flags. A flag value other than true and false leaves an
 * existing deployment unchanged.
 */
export const managedUpgradeOperator: RegisteredController = {
  name: "ManagedUpgradeOperator",
  flag: "rh.srep.muo.enabled",
  flags: {
    "rh.srep.muo.deploy.pullspec": text,
    "rh.srep.muo.enabled": switchedOn,
    "rh.srep.muo.managed": { ...triState, default: "true" },
  },
  conditionTypes: ["ManagedUpgradeOperatorStatus"],
  documentation: {
    purpose:
      "Bundle of the managed upgrade operator, owned by the Cluster. If the flag `rh.srep.muo.managed` is false, the controller removes the bundle, with the namespace last. If the flag is neither true nor false, the controller changes nothing. The controller is Degraded after 5 minutes without a ready Deployment.",
    improvement:
      "Waits without blocking. The 5 minutes are counted from the condition's last transition. A failed object does not block repairs of the next objects.",
  },
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

/** @throws Error if the deployment is not ready within its time limit */
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
