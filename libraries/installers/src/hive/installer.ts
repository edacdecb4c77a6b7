import { listAt, numberAt, redactText, type Secret, stringAt, valueAt } from "@keelson/base";
import { apiVersionOf, conditionStatus, type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { infraIdOf, type OpenShiftCluster, withProperties } from "@keelson/model";
import { installStateOfGraph, parseAssetGraph } from "../install/asset-graph.ts";
import type { DevelopmentProxyFiles } from "../install/development-proxy.ts";
import { installerErrors } from "../install/errors.ts";
import type { InstallContext, ProgressReport, Release } from "../install/install-context.ts";
import { explainInstallFailure } from "../install/install-failure.ts";
import type { Installer, InstallState } from "../install/installer.ts";
import { ProgressLimit } from "../install/progress-limit.ts";
import { mirroredPullspec } from "../install/release-image.ts";
import {
  adoptionObjects,
  deploymentName,
  installObjects,
  refreshedSecrets,
  withoutImmutable,
} from "./hive-objects.ts";
import { ConditionWatch, type HiveFailure } from "./install-conditions.ts";
import { logFieldsAnnotation, withoutRequest } from "./log-fields.ts";

export interface HiveOptions {
  /** Client of the cluster in which Hive runs. */
  readonly kube: KubeClient;
  /** Service credentials for the registries of OpenShift's images, in Docker's format. */
  readonly pullSecret?: Secret;
  /** Environment variables of Hive's installer. The names here omit the prefix `ARO_`, which is added for the installer. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Files that the installer requires in its development mode (`RP_MODE`). */
  readonly developmentProxy?: DevelopmentProxyFiles | undefined;
  /** Registry with the service's mirror of quay.io images. */
  readonly registry?: string | undefined;
  /** Pullspec of the installer image. Default: the installer image of the OpenShift version. */
  readonly installerPullspec?: string | undefined;
  /** Returns the asset graph that the installer stores for a cluster. Undefined until the graph is stored. */
  readonly readGraph: (context: InstallContext) => Promise<string | undefined>;
  /**
   * Time limit in ms for the phase until the graph is stored. The install fails if Hive makes no progress for this time, or if
   * the phase lasts three times as long. Default: 60 minutes.
   */
  readonly timeoutMs?: number;
}

/** Client of Hive, which manages the ClusterDeployments of clusters. */
export interface Hive {
  /** True if Hive also adopts clusters that it did not install. */
  readonly adoptsClusters: boolean;
  /** Creates or updates the cluster's objects in Hive. */
  adopt(context: InstallContext): Promise<void>;
  /** Deletes the cluster's objects in Hive. Missing objects are not an error. */
  forget(context: InstallContext): Promise<void>;
  /** True after Hive has connected to the cluster. */
  isReady(context: InstallContext): Promise<boolean>;
  /** Returns the cluster's ClusterDeployment. Undefined if it does not exist. */
  findDeployment(context: InstallContext): Promise<KubeObject | undefined>;
}

const hourMs = 3_600_000;
const askEveryMs = 10_000;

/**
 * Returns an installer that uses Hive. Each cluster has a ClusterDeployment in its own namespace. All steps are idempotent, so
 * any process can resume an install.
 */
export function hiveInstaller(options: HiveOptions): Installer {
  return {
    generate: (context) => generate(options, context),
    // This step does nothing, because Hive creates the machines after the ClusterDeployment exists. `bootstrapComplete` waits for
    // the machines.
    async createMachines() {},
    async bootstrapComplete(context) {
      return (await readInstallation(options, context, new ConditionWatch(context.clock))).isComplete;
    },
    finish: (context) => resetCorrelation(guarded(options.kube, context), context),
    forget: (context) => removeNamespace(options, context),
  };
}

export function connectedHive(options: {
  readonly kube: KubeClient;
  readonly adoptsClusters: boolean;
}): Hive {
  return {
    adoptsClusters: options.adoptsClusters,

    async adopt(context) {
      const kube = guarded(options.kube, context);
      const namespace = await ensureNamespace(kube, context);
      const isOwn = context.cluster.properties.hiveProfile?.createdByHive === true;
      // If Hive installed the cluster, only the Secrets can still change after the installation.
      const objects = isOwn ? refreshedSecrets(context, namespace) : adoptionObjects(context, namespace);
      for (const each of objects) await kube().ensure(resourceOf(each), each, context.signal);
      await resetCorrelation(kube, context);
    },

    forget: (context) => removeNamespace(options, context),

    async isReady(context) {
      const found = await findDeployment(guarded(options.kube, context), context);
      if (listAt(found, "status", "conditions").length === 0) return false;
      return Object.entries(readyConditions).every(([type, wanted]) => {
        const status = conditionStatus(found, type);
        return status === undefined || status === wanted;
      });
    },

    findDeployment: (context) => findDeployment(guarded(options.kube, context), context),
  };
}

const readyConditions = {
  Provisioned: "True",
  ControlPlaneCertificateNotFound: "False",
  Unreachable: "False",
};

/** Returns Hive's client. Throws if the operation has lost its lease. */
type GuardedKube = () => KubeClient;

function guarded(kube: KubeClient, { beforeRequest }: InstallContext): GuardedKube {
  return () => {
    beforeRequest();
    return kube;
  };
}

async function generate(options: HiveOptions, context: InstallContext): Promise<InstallState> {
  const { clock, signal, update } = context;
  const kube = guarded(options.kube, context);
  const release = releaseFor(options, await context.release());
  const namespace = await ensureNamespace(kube, context);
  await update((cluster) => withHiveProfile(cluster, { namespace, createdByHive: true }));
  const { pullSecret, environment = {}, developmentProxy } = options;
  const install = { namespace, release, pullSecret, environment, developmentProxy };
  const isStarted = (await findDeployment(kube, context)) !== undefined;
  for (const each of await installObjects(context, install))
    await kube().ensure(resourceOf(each), isStarted ? withoutImmutable(each) : each, signal);
  const limitMs = options.timeoutMs ?? hourMs;
  const limit = new ProgressLimit(clock, limitMs);
  const conditions = new ConditionWatch(clock);
  for (;;) {
    const text = await options.readGraph(context);
    if (text !== undefined) return stateOf(context, text);
    const installation = await readInstallation(options, context, conditions);
    if (installation.isComplete)
      throw installerErrors.InvalidAssetGraph(
        "Hive has installed the cluster, yet its installer has stored no graph",
      );
    limit.observe(installation.version);
    if (limit.isOver)
      throw installerErrors.InstallerFailed(
        `Hive's installer has stored no graph and made no progress within ${limitMs} ms`,
      );
    await clock.sleep(askEveryMs, signal);
  }
}

function stateOf(context: InstallContext, text: string): InstallState {
  const source = "the graph of Hive's installer";
  const address = { infraId: infraIdOf(context.cluster), domain: context.domain };
  return installStateOfGraph(parseAssetGraph(text, source), address, source);
}

function releaseFor({ registry, installerPullspec }: HiveOptions, release: Release): Release {
  return {
    openShiftPullspec: mirroredPullspec(release.openShiftPullspec, registry),
    installerPullspec: installerPullspec ?? release.installerPullspec,
  };
}

async function ensureNamespace(
  kube: GuardedKube,
  { cluster, documentId, update, signal }: InstallContext,
): Promise<string> {
  const name = cluster.properties.hiveProfile?.namespace || `aro-${documentId}`;
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  // The cluster's document stores the namespace's name before the namespace is created. A crash can therefore not leave a
  // namespace without a reference.
  await update((current) => withHiveProfile(current, { namespace: name }));
  await kube().ensure(resources.namespaces, namespace, signal);
  return name;
}

function withHiveProfile(
  cluster: OpenShiftCluster,
  change: NonNullable<OpenShiftCluster["properties"]["hiveProfile"]>,
): OpenShiftCluster {
  const { hiveProfile } = cluster.properties;
  const wanted = { ...hiveProfile, ...change };
  const isThere =
    hiveProfile?.namespace === wanted.namespace && hiveProfile?.createdByHive === wanted.createdByHive;
  return isThere ? cluster : withProperties(cluster, { hiveProfile: wanted });
}

interface Installation {
  readonly isComplete: boolean;
  /** Progress token, which changes when one of the cluster's objects in Hive changes. */
  readonly version: string;
}

/**
 * Reads the state of an install.
 * @throws CloudError if the install failed; InstallerFailed if the ClusterDeployment is missing
 */
async function readInstallation(
  options: HiveOptions,
  context: InstallContext,
  conditions: ConditionWatch,
): Promise<Installation> {
  const kube = guarded(options.kube, context);
  const found = await findDeployment(kube, context);
  if (!found) throw installerErrors.InstallerFailed("Hive has no ClusterDeployment of the cluster any more");
  if (valueAt(found, "spec", "installed") === true) return { isComplete: true, version: versionOf(found) };
  const provision = await latestProvision(kube, context, found);
  const { failure, activity } = conditions.observe(found);
  if (failure) throw failureOf(context, failure, stringAt(provision, "spec", "installLog"));
  const progress = progressOf(found, stringAt(provision, "spec", "stage"));
  context.report(activity === undefined ? progress : { ...progress, activity });
  return { isComplete: false, version: `${versionOf(found)} ${versionOf(provision)}` };
}

function versionOf(object: KubeObject | undefined): string {
  return stringAt(object, "metadata", "resourceVersion") ?? "";
}

function failureOf({ logger }: InstallContext, failure: HiveFailure, log: string | undefined): Error {
  const reason = failure.reason || "Unknown";
  const message = redactText(failure.message);
  logger.error(
    {
      reason,
      message,
      output: redactText(log ?? "")
        .split("\n")
        .slice(-loggedLines),
    },
    "Hive's install failed",
  );
  const cause = installerErrors.InstallerFailed(`Hive's install failed: ${reason}: ${message}`);
  return explainInstallFailure(reason, log, { cause, otherwise: { code: reason, message } });
}

const loggedLines = 200;

const stages: Readonly<Record<string, ProgressReport>> = {
  initializing: { fraction: 0.1, activity: "Hive starts the installer" },
  provisioning: { fraction: 0.4, activity: "Hive's installer creates the cluster" },
  complete: { fraction: 1, activity: "Hive's installer is done" },
  failed: { fraction: 1, activity: "Hive's installer has failed" },
};

function progressOf(deployment: KubeObject, stage: string | undefined): ProgressReport {
  const isObserved = listAt(deployment, "status", "conditions").length > 0;
  const waiting = isObserved
    ? "waiting for Hive"
    : "waiting for Hive: no controller has observed the ClusterDeployment";
  return stages[stage ?? ""] ?? { fraction: 0, activity: waiting };
}

function findDeployment(kube: GuardedKube, context: InstallContext): Promise<KubeObject | undefined> {
  const { cluster, documentId, signal } = context;
  const namespace = cluster.properties.hiveProfile?.namespace || `aro-${documentId}`;
  return kube().find(resources.clusterDeployments, { namespace, name: deploymentName }, signal);
}

/**
 * Returns the last ClusterProvision. A ClusterProvision is one run of the installer. There is usually only one run, because only
 * an administrator can start a second run in Hive.
 */
async function latestProvision(
  kube: GuardedKube,
  { signal }: InstallContext,
  { metadata: { namespace = "", name } }: KubeObject,
): Promise<KubeObject | undefined> {
  const labelSelector = `hive.openshift.io/cluster-deployment-name=${name}`;
  const { items } = await kube().list(resources.clusterProvisions, { namespace, labelSelector }, signal);
  const attemptOf = (each: KubeObject) => numberAt(each, "spec", "attempt") ?? 0;
  return items.toSorted((left, right) => attemptOf(right) - attemptOf(left))[0];
}

/**
 * Removes the fields that identify a request from the log fields annotation in Hive. Called when the operation of the request has
 * ended.
 */
async function resetCorrelation(kube: GuardedKube, context: InstallContext): Promise<void> {
  const found = await findDeployment(kube, context);
  const left = withoutRequest(stringAt(found, "metadata", "annotations", logFieldsAnnotation) ?? "");
  if (!found || left === undefined) return;
  const { namespace = "", name } = found.metadata;
  const metadata = { annotations: { [logFieldsAnnotation]: left } };
  await kube().mergePatch(resources.clusterDeployments, { namespace, name }, { metadata }, context.signal);
}

/**
 * Deletes the cluster's namespace in Hive. The ClusterDeployment is configured to preserve the Azure resources. The service
 * deletes these separately.
 */
async function removeNamespace({ kube }: Pick<HiveOptions, "kube">, context: InstallContext): Promise<void> {
  const name = context.cluster.properties.hiveProfile?.namespace;
  if (name) await guarded(kube, context)().delete(resources.namespaces, { name }, context.signal);
}

const kinds = [resources.secrets, resources.clusterDeployments];

function resourceOf({ apiVersion, kind }: KubeObject) {
  const found = kinds.find((each) => each.kind === kind && apiVersionOf(each) === apiVersion);
  if (!found) throw new Error(`${kind} of ${apiVersion} is not an object of Hive`);
  return found;
}
