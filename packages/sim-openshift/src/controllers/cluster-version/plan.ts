import { createHash } from "node:crypto";
import type { KubeObject } from "@keelson/apiserver";
import { type Condition, timestamp, withConditions } from "../../runtime/conditions.ts";
import { listAt, recordAt, textAt } from "../../runtime/fields.ts";
import { clusterOperators } from "../cluster-operators/facts.ts";
import { hasSettled, operatorVersion } from "../cluster-operators/plan.ts";

export interface ClusterVersionObserved {
  readonly clusterVersion: KubeObject;
  readonly operators: readonly KubeObject[];
  /** The version that the cluster was installed with. */
  readonly installed: string;
  readonly now: Date;
}

/** The manifests of a 4.19 payload, for the progress message. */
const payloadManifests = 957;

/** The status of ClusterVersion that fits its spec and the cluster operators. */
export function planClusterVersion(observed: ClusterVersionObserved): Record<string, unknown> {
  const { clusterVersion, now } = observed;
  const before = recordAt(clusterVersion, "status");
  const target = targetOf(observed);
  const operators = clusterOperators.map(({ name }) => ({
    name,
    object: observed.operators.find(({ metadata }) => metadata.name === name),
  }));
  const rolledOut = operators.filter(({ object }) => operatorVersion(object) === target.version);
  const unsettled = operators
    .filter(({ object }) => !hasSettled(object, target.version))
    .map(({ name }) => name);
  const history = planHistory(clusterVersion, target, unsettled.length === 0, now);
  const complete = textAt(history[0], "state") === "Completed";
  const everComplete = history.some((entry) => textAt(entry, "state") === "Completed");
  const conditions = [
    availableCondition(everComplete, history),
    failingCondition(complete, unsettled),
    progressingCondition(complete, target.version, rolledOut.length / operators.length, unsettled),
    updatesCondition(clusterVersion),
    implicitCapabilities,
    acceptedCondition(target),
  ];
  return {
    ...before,
    availableUpdates: null,
    capabilities: { enabledCapabilities: capabilities, knownCapabilities: capabilities },
    conditions: withConditions(clusterVersion, conditions, now),
    desired: target,
    history,
    observedGeneration: clusterVersion.metadata.generation ?? 1,
    versionHash: "kZ2n8hYyW3Y=",
  };
}

interface Release {
  readonly version: string;
  readonly image: string;
}

/** An update is asked for in `spec.desiredUpdate`; without one the cluster stays where it is. */
function targetOf({ clusterVersion, installed }: ClusterVersionObserved): Release {
  const wanted = textAt(clusterVersion, "spec", "desiredUpdate", "version");
  const current = textAt(clusterVersion, "status", "desired", "version") ?? installed;
  const version = wanted === undefined || wanted === "" ? current : wanted;
  return { version, image: releaseImage(version) };
}

/** The pull specification of a release; the digest is made up, but always the same for a version. */
export function releaseImage(version: string): string {
  const digest = createHash("sha256").update(version).digest("hex");
  return `quay.io/openshift-release-dev/ocp-release@sha256:${digest}`;
}

function planHistory(
  clusterVersion: KubeObject,
  target: Release,
  settled: boolean,
  now: Date,
): readonly unknown[] {
  const history = listAt(clusterVersion, "status", "history");
  const [latest, ...older] = history;
  const started = textAt(latest, "version") === target.version;
  const entry = started
    ? recordAt(latest)
    : { ...target, state: "Partial", startedTime: timestamp(now), completionTime: null, verified: false };
  const rest = started ? older : history;
  if (entry.state === "Completed" || !settled) return [entry, ...rest];
  return [{ ...entry, state: "Completed", completionTime: timestamp(now) }, ...rest];
}

function availableCondition(everComplete: boolean, history: readonly unknown[]): Condition {
  const done = history.find((entry) => textAt(entry, "state") === "Completed");
  return everComplete
    ? { type: "Available", status: "True", message: `Done applying ${textAt(done, "version")}` }
    : { type: "Available", status: "False" };
}

function failingCondition(complete: boolean, unsettled: readonly string[]): Condition {
  if (!complete || unsettled.length === 0) return { type: "Failing", status: "False" };
  const message = `Cluster operators ${unsettled.join(", ")} are not available`;
  return { type: "Failing", status: "True", reason: "ClusterOperatorsNotAvailable", message };
}

function progressingCondition(
  complete: boolean,
  version: string,
  share: number,
  unsettled: readonly string[],
): Condition {
  if (complete) return { type: "Progressing", status: "False", message: `Cluster version is ${version}` };
  const done = Math.floor(payloadManifests * share);
  const percent = Math.floor(share * 100);
  const progress = `Working towards ${version}: ${done} of ${payloadManifests} done (${percent}% complete)`;
  const waiting = unsettled.length <= 5 ? `, waiting on ${unsettled.join(", ")}` : "";
  return { type: "Progressing", status: "True", message: `${progress}${waiting}` };
}

function updatesCondition(clusterVersion: KubeObject): Condition {
  const channel = textAt(clusterVersion, "spec", "channel") ?? "";
  if (channel !== "") return { type: "RetrievedUpdates", status: "True" };
  return {
    type: "RetrievedUpdates",
    status: "False",
    reason: "NoChannel",
    message: "The update channel has not been configured.",
  };
}

const implicitCapabilities: Condition = {
  type: "ImplicitlyEnabledCapabilities",
  status: "False",
  reason: "AsExpected",
  message: "Capabilities match configured spec",
};

function acceptedCondition({ version, image }: Release): Condition {
  const message = `Payload loaded version="${version}" image="${image}" architecture="amd64"`;
  return { type: "ReleaseAccepted", status: "True", reason: "PayloadLoaded", message };
}

/** The optional parts of OpenShift 4.19 (`config.openshift.io/v1` ClusterVersionCapability). */
const capabilities = [
  "Build",
  "CSISnapshot",
  "CloudControllerManager",
  "CloudCredential",
  "Console",
  "DeploymentConfig",
  "ImageRegistry",
  "Ingress",
  "Insights",
  "MachineAPI",
  "NodeTuning",
  "OperatorLifecycleManager",
  "OperatorLifecycleManagerV1",
  "Storage",
  "baremetal",
  "marketplace",
  "openshift-samples",
];
