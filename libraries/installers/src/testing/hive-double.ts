import { randomUUID } from "node:crypto";
import { listAt, systemClock, valueAt } from "@keelson/base";
import { type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { createProvisionObjects } from "./hive-objects.ts";

/** Result of the installer's Job. */
export type JobResult =
  | { readonly kind: "succeeded" }
  | { readonly kind: "failed"; readonly reason: string; readonly log: string };

export interface HiveDoubleOptions {
  readonly kube: KubeClient;
  /** Runs instead of the installer's Job and returns the Job's result. */
  readonly install: (deployment: KubeObject) => Promise<JobResult>;
  readonly signal: AbortSignal;
}

/** Finalizer of the ClusterDeployment. Hive removes the finalizer after the deprovision pods have finished. */
const finalizer = "hive.openshift.io/deprovision";
const pollMs = 50;

/**
 * Simulates Hive's controllers clusterDeployment and clusterProvision until the signal aborts. Sets the same conditions and the
 * same finalizer as these controllers. Creates one ClusterProvision per installation, and the Secrets of the installer's Job.
 */
export async function runHiveDouble(options: HiveDoubleOptions): Promise<void> {
  const { kube, signal } = options;
  const running = new Set<string>();
  try {
    while (!signal.aborted) {
      const { items } = await kube.list(resources.clusterDeployments, {}, signal);
      for (const each of items) await reconcile(each, running, options);
      await systemClock.sleep(pollMs, signal);
    }
  } catch (error) {
    // An abort interrupts requests. Errors after the abort are therefore ignored.
    if (!signal.aborted) throw error;
  }
}

async function reconcile(
  deployment: KubeObject,
  running: Set<string>,
  options: HiveDoubleOptions,
): Promise<void> {
  const { kube, signal } = options;
  const { uid = "", deletionTimestamp, finalizers = [] } = deployment.metadata;
  const patch = (metadata: object) =>
    kube.mergePatch(resources.clusterDeployments, keyOf(deployment), { metadata }, signal);
  if (deletionTimestamp !== undefined) {
    // With `preserveOnDelete`, Hive starts no deprovision pods, because the service deletes the Azure resources.
    if (finalizers.includes(finalizer)) await patch({ finalizers: [] });
    return;
  }
  if (!finalizers.includes(finalizer)) await patch({ finalizers: [finalizer] });
  if (listAt(deployment, "status", "conditions").length === 0) {
    await setConditions(deployment, options, {});
    return;
  }
  if (valueAt(deployment, "spec", "installed") === true || running.has(uid)) return;
  running.add(uid);
  void provision(deployment, options).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Runs the only installation attempt. The service configures each ClusterDeployment for a single attempt. */
async function provision(deployment: KubeObject, options: HiveDoubleOptions): Promise<void> {
  const { kube, install, signal } = options;
  const { namespace = "", name } = deployment.metadata;
  const begun: Conditions = {
    AuthenticationFailure: ["False", "PlatformAuthSuccess"],
    InstallImagesNotResolved: ["False", "ImagesResolved"],
    ProvisionStopped: ["False", "ProvisionNotStopped"],
    Provisioned: ["False", "Provisioning"],
    RequirementsMet: ["True", "AllRequirementsMet"],
  };
  await setConditions(deployment, options, begun);
  const key = { namespace, name: `${name}-0-${randomUUID().slice(0, 5)}` };
  const labels = { "hive.openshift.io/cluster-deployment-name": name };
  const clusterDeploymentRef = { name };
  await kube.create(
    resources.clusterProvisions,
    {
      apiVersion: "hive.openshift.io/v1",
      kind: "ClusterProvision",
      metadata: { ...key, labels },
      spec: { attempt: 0, clusterDeploymentRef, stage: "provisioning" },
    },
    signal,
  );
  const launched: Conditions = { ...begun, InstallLaunchError: ["False", "InstallLaunchSuccessful"] };
  await setConditions(deployment, options, launched);
  const result = await install(deployment);
  const { spec, clusterMetadata } = await createProvisionObjects(
    kube,
    { deployment, provision: key.name },
    signal,
  );
  const ending =
    result.kind === "succeeded"
      ? { stage: "complete", installLog: "level=info msg=running step" }
      : { stage: "failed", installLog: result.log };
  await kube.mergePatch(resources.clusterProvisions, key, { spec: { ...spec, ...ending } }, signal);
  const patch = (change: object) =>
    kube.mergePatch(resources.clusterDeployments, keyOf(deployment), { spec: change }, signal);
  if (result.kind === "failed") {
    await patch({ clusterMetadata });
    // The double sets ProvisionStopped immediately. Hive sets it one minute later.
    const failure: Condition = ["True", result.reason, result.log];
    await setConditions(deployment, options, { ...launched, ProvisionFailed: failure });
    return;
  }
  await patch({ clusterMetadata, installed: true });
  await setConditions(deployment, options, {
    ...launched,
    ProvisionFailed: ["False", "ProvisionSucceeded"],
    Provisioned: ["True", "Provisioned"],
    SyncSetFailed: ["True", "MissingClusterSync"],
  });
}

type Condition = readonly [status: string, reason: string, message?: string];
type Conditions = Readonly<Record<string, Condition>>;

const conditionTypes = [
  ...["AuthenticationFailure", "ClusterInstallCompleted", "ClusterInstallFailed"],
  ...["ClusterInstallRequirementsMet", "ClusterInstallStopped", "DNSNotReady", "DeprovisionLaunchError"],
  ...["InstallImagesNotResolved", "InstallLaunchError", "InstallerImageResolutionFailed", "ProvisionFailed"],
  ...["ProvisionStopped", "Provisioned", "RequirementsMet", "SyncSetFailed"],
];

/** Sets conditions. If `values` contains no value for a condition, the condition becomes Unknown with the reason Initialized. */
async function setConditions(
  deployment: KubeObject,
  { kube, signal }: HiveDoubleOptions,
  values: Conditions,
): Promise<void> {
  const conditions = conditionTypes.map((type) => {
    const [status, reason, message = "Condition Initialized"] = values[type] ?? ["Unknown", "Initialized"];
    return { type, status, reason, message };
  });
  const key = keyOf(deployment);
  await kube.mergePatch(resources.clusterDeployments, key, { status: { conditions } }, signal, "status");
}

function keyOf({ metadata: { namespace = "", name } }: KubeObject) {
  return { namespace, name };
}
