import type { KubeObject } from "@keelson/apiserver";
import { listAt, objectAt, stringAt } from "@keelson/base";
import { type Condition, timestamp } from "@keelson/controller";
import { conditionStatus } from "@keelson/kube";
import { withConditions } from "../../base/conditions.ts";
import { combineFailures, type PayloadFailure } from "../../payload/payload-failure.ts";
import type { Release, ReleaseMetadata } from "../../updates/update-graph.ts";
import { hasCompleted } from "../../updates/update-history.ts";
import { clusterOperators } from "../cluster-operators/facts.ts";
import { hasSettled, operatorVersion } from "../cluster-operators/plan.ts";
import { capabilities } from "./capabilities.ts";
import { type Target, targetOf, upgradeBlocker } from "./target.ts";

export interface ClusterVersionObserved {
  readonly clusterVersion: KubeObject;
  readonly operators: readonly KubeObject[];
  /** Initially installed version. */
  readonly installed: string;
  /** Releases that the update service offers. `undefined` if the channel does not contain the current version. */
  readonly offers?: readonly Release[] | undefined;
  /** Returns the update service's metadata of a version. `undefined` if the channel does not contain the version. */
  readonly metadataOf?: (version: string) => ReleaseMetadata | undefined;
  /** Release manifests that cannot be applied. */
  readonly payloadFailures?: readonly PayloadFailure[];
  /** Returns the reason why the payload of a version cannot be loaded. Returns undefined if it can be loaded. */
  readonly rejected?: (version: string) => string | undefined;
  readonly now: Date;
}

/** Number of manifests in a 4.19 payload. The progress message contains it. */
const payloadManifests = 957;

/** Computes the status of a ClusterVersion from the spec of the ClusterVersion and from the cluster operators. */
export function planClusterVersion(observed: ClusterVersionObserved): Record<string, unknown> {
  const { clusterVersion, now, offers, metadataOf, rejected = () => undefined } = observed;
  const target = targetOf({ ...observed, offers, rejected });
  const { version } = target.release;
  const operators = clusterOperators.map(({ name }) => ({
    name,
    object: observed.operators.find(({ metadata }) => metadata.name === name),
  }));
  const rolledOut = operators.filter(({ object }) => operatorVersion(object) === version);
  const unsettled = operators.filter(({ object }) => !hasSettled(object, version)).map(({ name }) => name);
  const history = planHistory(clusterVersion, target, unsettled.length === 0, now);
  const complete = stringAt(history[0], "state") === "Completed";
  const failure = combineFailures([
    ...(observed.payloadFailures ?? []),
    ...operatorFailures(operators, history, complete),
  ]);
  const blocker = upgradeBlocker(clusterVersion, observed.operators);
  const conditions: readonly Condition[] = [
    availableCondition(history),
    failure
      ? { type: "Failing", status: "True", reason: failure.reason, message: failure.message }
      : { type: "Failing", status: "False" },
    progressingCondition({
      complete,
      version,
      share: rolledOut.length / operators.length,
      unsettled,
      failure,
    }),
    updatesCondition(clusterVersion, version, offers),
    implicitCapabilities,
    acceptedCondition(target),
    ...(blocker ? [{ type: "Upgradeable", status: "False", ...blocker } as const] : []),
    ...(target.refusal?.kind === "invalid"
      ? [
          {
            type: "Invalid",
            status: "True",
            reason: "InvalidClusterVersion",
            message: `The cluster version is invalid: ${target.refusal.message}`,
          } as const,
        ]
      : []),
  ];
  const present = withConditions(clusterVersion, conditions, now).filter((condition) => {
    const type = stringAt(condition, "type");
    // Removes the conditions Upgradeable and Invalid if they no longer apply.
    return !["Upgradeable", "Invalid"].includes(type ?? "") || conditions.some((each) => each.type === type);
  });
  // The channels depend on the update service, so that they disappear when the channel is removed.
  const { channels: _, ...release } = target.release;
  const hasChannel = (stringAt(clusterVersion, "spec", "channel") ?? "") !== "";
  return {
    ...objectAt(clusterVersion, "status"),
    availableUpdates: hasChannel && offers && offers.length > 0 ? offers : null,
    capabilities: { enabledCapabilities: capabilities, knownCapabilities: capabilities },
    conditions: present,
    desired: { ...release, ...metadataOf?.(version) },
    history,
    observedGeneration: clusterVersion.metadata.generation ?? 1,
    versionHash: "kZ2n8hYyW3Y=",
  };
}

/** Adds the new target to the front of the history. An entry remains Partial if a newer target replaces it. */
function planHistory(
  clusterVersion: KubeObject,
  { release, forced }: Target,
  settled: boolean,
  now: Date,
): readonly unknown[] {
  const history = listAt(clusterVersion, "status", "history");
  const [latest, ...older] = history;
  const { version, image } = release;
  const started = stringAt(latest, "version") === version;
  const entry = started
    ? objectAt(latest)
    : {
        version,
        image,
        state: "Partial",
        startedTime: timestamp(now),
        completionTime: null,
        // The payload of an update counts as verified. The payload of the installation does not.
        verified: latest !== undefined && !forced,
      };
  const overtaken = objectAt(latest);
  const rest = started
    ? older
    : latest === undefined
      ? []
      : [{ ...overtaken, completionTime: overtaken.completionTime ?? timestamp(now) }, ...older];
  if (entry.state === "Completed" || !settled) return [entry, ...rest];
  return [{ ...entry, state: "Completed", completionTime: timestamp(now) }, ...rest];
}

function availableCondition(history: readonly unknown[]): Condition {
  const done = history.find((entry) => stringAt(entry, "state") === "Completed");
  return done === undefined
    ? { type: "Available", status: "False" }
    : { type: "Available", status: "True", message: `Done applying ${stringAt(done, "version")}` };
}

/**
 * Returns a failure that names the unavailable operators. If there are none, names the operators that block an update because
 * they are degraded. Empty during the installation.
 */
function operatorFailures(
  operators: readonly { readonly name: string; readonly object: KubeObject | undefined }[],
  history: readonly unknown[],
  complete: boolean,
): readonly PayloadFailure[] {
  if (!hasCompleted(history)) return [];
  const missing = operators.filter(
    ({ object }) => object === undefined || conditionStatus(object, "Available") !== "True",
  );
  const degraded = operators.filter(({ object }) => conditionStatus(object, "Degraded") === "True");
  const failing = missing.length > 0 ? missing : complete ? [] : degraded;
  const word = missing.length > 0 ? "not available" : "degraded";
  const suffix = missing.length > 0 ? "NotAvailable" : "Degraded";
  const names = failing.map(({ name }) => name).toSorted();
  if (names.length === 0) return [];
  const subject =
    names.length === 1 ? `luster operator ${names[0]} is` : `luster operators ${names.join(", ")} are`;
  const reason = `ClusterOperator${names.length === 1 ? "" : "s"}${suffix}`;
  return [{ reason, message: `C${subject} ${word}`, summary: `the c${subject} ${word}` }];
}

interface Progress {
  readonly complete: boolean;
  readonly version: string;
  readonly share: number;
  readonly unsettled: readonly string[];
  readonly failure: PayloadFailure | undefined;
}

function progressingCondition({ complete, version, share, unsettled, failure }: Progress): Condition {
  if (complete)
    return failure
      ? {
          type: "Progressing",
          status: "False",
          reason: failure.reason,
          message: `Error while reconciling ${version}: ${failure.summary}`,
        }
      : { type: "Progressing", status: "False", message: `Cluster version is ${version}` };
  if (failure)
    return {
      type: "Progressing",
      status: "True",
      reason: failure.reason,
      message: `Unable to apply ${version}: ${failure.summary}`,
    };
  const done = Math.floor(payloadManifests * share);
  const percent = Math.floor(share * 100);
  const progress = `Working towards ${version}: ${done} of ${payloadManifests} done (${percent}% complete)`;
  const waiting = unsettled.length <= 5 ? `, waiting on ${unsettled.join(", ")}` : "";
  return { type: "Progressing", status: "True", message: `${progress}${waiting}` };
}

function updatesCondition(
  clusterVersion: KubeObject,
  version: string,
  offers: readonly Release[] | undefined,
): Condition {
  const channel = stringAt(clusterVersion, "spec", "channel") ?? "";
  if (channel === "")
    return {
      type: "RetrievedUpdates",
      status: "False",
      reason: "NoChannel",
      message: "The update channel has not been configured.",
    };
  if (offers === undefined)
    return {
      type: "RetrievedUpdates",
      status: "False",
      reason: "VersionNotFound",
      message: `Unable to retrieve available updates: currently reconciling cluster version ${version} not found in the "${channel}" channel`,
    };
  return { type: "RetrievedUpdates", status: "True" };
}

const implicitCapabilities: Condition = {
  type: "ImplicitlyEnabledCapabilities",
  status: "False",
  reason: "AsExpected",
  message: "Capabilities match configured spec",
};

function acceptedCondition({ release, refusal }: Target): Condition {
  const type = "ReleaseAccepted";
  const described = (of: Release) => `version="${of.version}" image="${of.image}"`;
  if (refusal?.kind === "payload")
    return {
      type,
      status: "False",
      reason: "RetrievePayload",
      message: `Retrieving payload failed ${described(refusal.release)} failure=${refusal.message}`,
    };
  if (refusal?.kind === "precondition")
    return {
      type,
      status: "False",
      reason: "PreconditionChecks",
      message: `Preconditions failed for payload loaded ${described(refusal.release)}: ${refusal.message}`,
    };
  return {
    type,
    status: "True",
    reason: "PayloadLoaded",
    message: `Payload loaded ${described(release)} architecture="amd64"`,
  };
}
