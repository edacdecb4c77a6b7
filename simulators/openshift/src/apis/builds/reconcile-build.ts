import { type KubeObject, StatusError } from "@keelson/apiserver";
import { messageOf, stringAt, valueAt } from "@keelson/base";
import { done, isControlledBy, type Result, timestamp } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { ensureDeleted } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import { hasReason } from "../../base/status-reason.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { imageStreams } from "../images/image-resources.ts";
import { buildIndexOf } from "./build-index.ts";
import { buildPod } from "./build-pod.ts";
import { buildPodName, builds, isTerminal, phaseOf } from "./build-refs.ts";
import { digestOf, outputTagOf, pushImage, referenceOf } from "./push-image.ts";
import { type Report, reportBuild } from "./report-build.ts";

/** Minimum and maximum time in ms after which a build that waits for another object is checked again. */
const minWaitMs = 1_000;
const maxWaitMs = 30_000;
/** Age in ms of a build after which the garbage collector has had time to delete the pod of an earlier build. */
const collectionMs = 120_000;

type BuildContext = Pick<Cluster, "cache" | "client" | "clock" | "logical">;

/** Runs a build in its pod. Source: openshift/openshift-controller-manager `pkg/build/controller/build`. */
export async function reconcileBuild(key: ObjectKey, cluster: BuildContext): Promise<Result> {
  const { client } = cluster;
  const build = await client.find(builds, key);
  if (!build || build.metadata.deletionTimestamp || isTerminal(build) || isPipeline(build)) return done;
  const podKey = { namespace: key.namespace, name: buildPodName(build) };
  const present = await client.find(resources.pods, podKey);
  const pod = present && isControlledBy(present, build) ? present : undefined;
  if (valueAt(build, "status", "cancelled") === true) {
    if (pod) await ensureDeleted(client, resources.pods, podKey);
    return report(build, cluster, {
      phase: "Cancelled",
      reason: "CancelledBuild",
      message: "The build was cancelled by the user.",
    });
  }
  if (pod) return reportPod(build, pod, cluster);
  if (phaseOf(build) !== "New")
    return report(build, cluster, {
      phase: "Error",
      reason: "BuildPodDeleted",
      message: "The pod for this build was deleted before the build completed.",
    });
  if (!buildIndexOf(cluster.cache).mayStart(build)) return done;
  return present ? awaitDeletion(build, present, cluster) : startBuild(build, cluster);
}

/** True for builds that Jenkins runs. Such builds remain in the phase New. */
function isPipeline(build: KubeObject): boolean {
  return valueAt(build, "spec", "strategy", "jenkinsPipelineStrategy") !== undefined;
}

/**
 * Waits until the garbage collector deletes the pod of an earlier build with the same name. If this pod has no owner, it is never
 * deleted, so the build fails immediately.
 */
async function awaitDeletion(build: KubeObject, pod: KubeObject, cluster: BuildContext): Promise<Result> {
  const hasOwner = (pod.metadata.ownerReferences ?? []).length > 0;
  if (hasOwner && ageOf(build, cluster) < collectionMs) return waitFor(build, cluster);
  return report(build, cluster, {
    phase: "Error",
    reason: "BuildPodExists",
    message: "The pod for this build already exists and is older than the build.",
  });
}

/** Creates the pod of a new build when its image stream exists. */
async function startBuild(build: KubeObject, cluster: BuildContext): Promise<Result> {
  const { client } = cluster;
  const output = outputTagOf(build);
  if (output && !(await client.find(imageStreams, output))) {
    const message = "Output image could not be resolved.";
    await reportBuild(build, cluster, { phase: "New", reason: "InvalidOutputReference", message });
    return waitFor(build, cluster);
  }
  try {
    await client.create(resources.pods, buildPod(build));
  } catch (error) {
    if (!hasReason(error, "AlreadyExists")) {
      const message = `Failed creating build pod: ${messageOf(error)}`;
      await reportBuild(build, cluster, { phase: "New", reason: "CannotCreateBuildPod", message });
    }
    return waitFor(build, cluster);
  }
  const reference = output ? { outputDockerImageReference: referenceOf(output) } : {};
  return report(build, cluster, { phase: "Pending", ...reference });
}

async function reportPod(build: KubeObject, pod: KubeObject, cluster: BuildContext): Promise<Result> {
  switch (stringAt(pod, "status", "phase")) {
    case "Running":
      return report(build, cluster, { phase: "Running" });
    case "Succeeded":
      return complete(build, cluster);
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

/** Pushes the image of a build with a succeeded pod. A refused push is not repeated. */
async function complete(build: KubeObject, cluster: BuildContext): Promise<Result> {
  const output = outputTagOf(build);
  if (!output) return report(build, cluster, { phase: "Complete" });
  try {
    await pushImage(cluster, build, output, timestamp(cluster.clock.now()));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return report(build, cluster, {
      phase: "Failed",
      reason: "PushImageToRegistryFailed",
      message: "Failed to push the image to the registry.",
    });
  }
  return report(build, cluster, { phase: "Complete", output: { to: { imageDigest: digestOf(build) } } });
}

/** True for errors that a repetition cannot solve: missing permissions or streams, and invalid or too large objects. */
export function isRefusal(error: unknown): boolean {
  return error instanceof StatusError && [400, 403, 404, 413, 422].includes(error.code);
}

async function report(build: KubeObject, cluster: BuildContext, state: Report): Promise<Result> {
  await reportBuild(build, cluster, state);
  return done;
}

/** Returns a wait as long as the age of the build, so that the waits of a build double up to the maximum. */
function waitFor(build: KubeObject, cluster: BuildContext): Result {
  return { requeueAfterMs: Math.min(maxWaitMs, Math.max(minWaitMs, ageOf(build, cluster))) };
}

function ageOf({ metadata }: KubeObject, { clock }: BuildContext): number {
  return clock.now().getTime() - Date.parse(metadata.creationTimestamp ?? "");
}
