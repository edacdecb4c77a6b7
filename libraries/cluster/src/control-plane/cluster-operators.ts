import { conditionStatus, type KubeObject, resources } from "@keelson/kube";
import type { ClusterContext } from "../context/context.ts";
import { clusterErrors } from "../context/errors.ts";

/** True if the API server is ready and the cluster operator `kube-apiserver` is available. */
export async function apiServersReady(context: ClusterContext): Promise<boolean> {
  if (!(await context.kube().ready(context.signal))) return false;
  return isAvailable(await findOperator(context, "kube-apiserver"));
}

/**
 * Fails with a transient error if the API server is not ready. Planned maintenance then continues with the next cluster, and
 * retries this cluster later.
 */
export async function ensureAPIServerIsUp(context: ClusterContext): Promise<void> {
  if (await apiServersReady(context)) return;
  throw clusterErrors.ClusterNotReady("the cluster operator kube-apiserver is not available");
}

export async function operatorConsoleExists(context: ClusterContext): Promise<boolean> {
  const console = await context.kube().find(resources.operatorConsoles, { name: "cluster" }, context.signal);
  return console !== undefined;
}

export async function operatorConsoleReady(context: ClusterContext): Promise<boolean> {
  return isAvailable(await findOperator(context, "console"));
}

export async function ingressControllerReady(context: ClusterContext): Promise<boolean> {
  return isAvailable(await findOperator(context, "ingress"));
}

const settling = ["kube-controller-manager", "kube-apiserver", "kube-scheduler", "console", "authentication"];

export async function clusterOperatorsHaveSettled(context: ClusterContext): Promise<boolean> {
  const operators = await Promise.all(settling.map((name) => findOperator(context, name)));
  return operators.every(isAvailable);
}

export async function clusterVersionReady({ kube, signal }: ClusterContext): Promise<boolean> {
  const version = await kube().find(resources.clusterVersions, { name: "version" }, signal);
  return conditionStatus(version, "Available") === "True";
}

/**
 * Removes the update channel and the URL of the update service, because customers update clusters through the resource provider.
 * If Hive installed the cluster from the service's registry, also replaces the release image with the public image.
 */
export async function disableUpdates(context: ClusterContext): Promise<void> {
  const isOfHive = context.cluster.properties.hiveProfile?.createdByHive === true;
  const desiredUpdate = isOfHive ? { desiredUpdate: await publishedRelease(context) } : {};
  const spec = { upstream: null, channel: null, ...desiredUpdate };
  const key = { name: "version" };
  await context.kube().mergePatch(resources.clusterVersions, key, { spec }, context.signal);
}

async function publishedRelease({ cluster, environment, release }: ClusterContext) {
  const { openShiftPullspec } = await release();
  const { domain = publicRegistry } = environment.registry ?? {};
  const isMirrored = openShiftPullspec.startsWith(`${domain}/`);
  const image = isMirrored ? publicRegistry + openShiftPullspec.slice(domain.length) : openShiftPullspec;
  const [version = ""] = cluster.properties.clusterProfile.version.split("+");
  return { version, image };
}

/** Host of Red Hat's public image registry. */
const publicRegistry = "quay.io";

function findOperator({ kube, signal }: ClusterContext, name: string): Promise<KubeObject | undefined> {
  return kube().find(resources.clusterOperators, { name }, signal);
}

function isAvailable(operator: KubeObject | undefined): boolean {
  const isDegraded = (conditionStatus(operator, "Degraded") ?? "False") !== "False";
  return (
    conditionStatus(operator, "Available") === "True" &&
    conditionStatus(operator, "Progressing") === "False" &&
    !isDegraded
  );
}
