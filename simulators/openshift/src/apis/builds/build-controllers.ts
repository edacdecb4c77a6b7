import type { KubeObject } from "@keelson/apiserver";
import { listAt, messageOf, numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { type Controller, done, type Result, timestamp, watch, watchMapped } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { ensureDeleted, ensureObject } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { imageStreams } from "../images/image-resources.ts";
import { changeObject } from "../optimistic-write.ts";
import { buildPod } from "./build-pod.ts";
import {
  buildConfigs,
  buildLabel,
  buildPodName,
  builds,
  configLabel,
  isTerminal,
  numberAnnotation,
  phaseOf,
} from "./build-refs.ts";
import { instantiateBuild } from "./instantiate.ts";
import { digestOf, outputTagOf, pushImage, referenceOf } from "./push-image.ts";

/** Time in ms after which a build that waits for another object is checked again. */
const waitMs = 1_000;

/**
 * Runs builds in pods: creates the pod, reports its state as the phase of the build, and tags the image of a complete build.
 * Source: openshift/openshift-controller-manager `pkg/build/controller`.
 */
const buildController: Controller<Cluster> = {
  name: "builds",
  watches: [
    watch(builds),
    watchMapped(
      resources.pods,
      ({ metadata: { namespace = "", labels } }) => [{ namespace, name: labels?.[buildLabel] ?? "" }],
      { selection: { labelSelector: buildLabel } },
    ),
  ],
  reconcile: reconcileBuild,
};

/** Creates the first build of a BuildConfig with the trigger `ConfigChange`. */
const buildConfigController: Controller<Cluster> = {
  name: "build-configs",
  watches: [watch(buildConfigs)],
  async reconcile(key, { client, clock }) {
    const config = await client.find(buildConfigs, key);
    const isTriggered = listAt(config, "spec", "triggers").some(
      (each) => stringAt(each, "type") === "ConfigChange",
    );
    if (!config || config.metadata.deletionTimestamp || !isTriggered) return done;
    if ((numberAt(config, "status", "lastVersion") ?? 0) > 0) return done;
    const { name, namespace = "" } = config.metadata;
    const request = { lastVersion: 0, triggeredBy: [{ message: "Build configuration change" }] };
    await instantiateBuild({ client, requester: client, namespace, name, request, now: clock.now() });
    return done;
  },
};

export const buildControllers: readonly Controller<Cluster>[] = [buildController, buildConfigController];

async function reconcileBuild(key: ObjectKey, cluster: Cluster): Promise<Result> {
  const { client } = cluster;
  const build = await client.find(builds, key);
  if (!build || build.metadata.deletionTimestamp || isTerminal(build)) return done;
  const podKey = { namespace: key.namespace, name: buildPodName(build) };
  if (valueAt(build, "status", "cancelled") === true) {
    await ensureDeleted(client, resources.pods, podKey);
    return report(build, cluster, {
      phase: "Cancelled",
      reason: "CancelledBuild",
      message: "The build was cancelled by the user.",
    });
  }
  const pod = await client.find(resources.pods, podKey);
  if (pod) return reportPod(build, pod, cluster);
  if (phaseOf(build) !== "New")
    return report(build, cluster, {
      phase: "Error",
      reason: "BuildPodDeleted",
      message: "The pod for this build was deleted before the build completed.",
    });
  return startBuild(build, cluster);
}

/** Creates the pod of a new build when its predecessors have ended and its image stream exists. */
async function startBuild(build: KubeObject, cluster: Cluster): Promise<Result> {
  const { client } = cluster;
  if (await isQueued(build, cluster)) return { requeueAfterMs: waitMs };
  const output = outputTagOf(build);
  if (output && !(await client.find(imageStreams, output))) {
    const message = "Output image could not be resolved.";
    await report(build, cluster, { phase: "New", reason: "InvalidOutputReference", message });
    return { requeueAfterMs: waitMs };
  }
  try {
    await ensureObject(client, resources.pods, buildPod(build));
  } catch (error) {
    const message = `Failed creating build pod: ${messageOf(error)}`;
    await report(build, cluster, { phase: "New", reason: "CannotCreateBuildPod", message });
    return { requeueAfterMs: waitMs };
  }
  const reference = output ? { outputDockerImageReference: referenceOf(output) } : {};
  return report(build, cluster, { phase: "Pending", ...reference });
}

/** True if the run policy of the BuildConfig requires that an earlier build ends first. */
async function isQueued(build: KubeObject, { client }: Cluster): Promise<boolean> {
  const { namespace, labels = {}, name } = build.metadata;
  const config = labels[configLabel];
  if (config === undefined || labels["openshift.io/build.start-policy"] === "Parallel") return false;
  const { items } = await client.list(builds, { namespace, labelSelector: `${configLabel}=${config}` });
  const numberOf = ({ metadata }: KubeObject) => Number(metadata.annotations?.[numberAnnotation] ?? 0);
  return items.some(
    (each) => each.metadata.name !== name && !isTerminal(each) && numberOf(each) < numberOf(build),
  );
}

async function reportPod(build: KubeObject, pod: KubeObject, cluster: Cluster): Promise<Result> {
  const { client, clock } = cluster;
  switch (stringAt(pod, "status", "phase")) {
    case "Running":
      return report(build, cluster, { phase: "Running" });
    case "Succeeded": {
      const output = outputTagOf(build);
      if (output) await pushImage(client, build, output, timestamp(clock.now()));
      const imageDigest = digestOf(build);
      return report(build, cluster, {
        phase: "Complete",
        ...(output ? { output: { to: { imageDigest } } } : {}),
      });
    }
    case "Failed":
      return report(build, cluster, {
        phase: "Failed",
        reason: "GenericBuildFailed",
        message: "Generic Build failure - check logs for details.",
      });
    default:
      return report(build, cluster, { phase: "Pending" });
  }
}

interface Report {
  readonly phase: string;
  readonly reason?: string;
  readonly message?: string;
  readonly output?: object;
  readonly outputDockerImageReference?: string;
}

/** Writes the phase of a build with its condition and times. Does not change an ended build. */
async function report(
  { metadata: { namespace, name } }: KubeObject,
  { client, clock }: Cluster,
  { phase, reason, message, ...fields }: Report,
): Promise<Result> {
  const now = timestamp(clock.now());
  await changeObject(client, builds, { namespace, name }, "main", (current) => {
    const { reason: before, message: _, ...status } = objectAt(current, "status");
    if (isTerminal(current) || (status.phase === phase && before === reason)) return undefined;
    const isOver = isTerminal({ ...current, status: { phase } });
    const started = stringAt(status, "startTimestamp") ?? (phase === "Running" || isOver ? now : undefined);
    const conditions = listAt(status, "conditions").map((each) => ({
      ...objectAt(each),
      ...(stringAt(each, "type") === phase ? {} : { status: "False" }),
    }));
    const entry = { type: phase, status: "True", lastUpdateTime: now, lastTransitionTime: now };
    const explained = { ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
    return {
      ...current,
      status: {
        ...status,
        ...fields,
        ...explained,
        phase,
        ...(started ? { startTimestamp: started } : {}),
        ...(isOver
          ? { completionTimestamp: now, duration: (Date.parse(now) - Date.parse(started ?? now)) * 1e6 }
          : {}),
        conditions: [
          ...conditions.filter((each) => stringAt(each, "type") !== phase),
          { ...entry, ...explained },
        ],
      },
    };
  });
  return done;
}
