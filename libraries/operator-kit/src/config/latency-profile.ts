import { isDeepStrictEqual } from "node:util";
import { stringAt, tryParseJson } from "@keelson/base";
import { type Condition, type Controller, watchFor } from "@keelson/controller";
import { type KubeObject, type KubeResource, resources } from "@keelson/kube";
import { type OperatorParts, operatorController } from "../operator/operator-controller.ts";
import { operatorKey } from "../operator/operator-resource.ts";
import { nodeStatuses } from "../static-pod/node-status.ts";
import { revisionName, type StaticPod, watchSources } from "../static-pod/static-pod.ts";
import { type ConfigPath, configAt } from "./config-paths.ts";

/** Argument that determines how fast a cluster detects a failed worker. */
export interface LatencyArgument {
  readonly path: ConfigPath;
  readonly values: Readonly<Record<string, string>>;
}

export interface LatencyProfileOptions {
  readonly pod: StaticPod;
  /** ConfigMap that contains the arguments as JSON in `config.yaml`. */
  readonly configName: string;
  readonly arguments: readonly LatencyArgument[];
}

const progressing = "WorkerLatencyProfileProgressing";
const complete = "WorkerLatencyProfileComplete";

/** Reports whether all masters use the arguments of the cluster's latency profile. */
export function latencyProfile<Parts extends OperatorParts>({
  pod,
  configName,
  arguments: wanted,
}: LatencyProfileOptions): Controller<Parts> {
  const node: KubeResource = resources.configNodes;
  return operatorController<Parts>(pod.resource, {
    name: "WorkerLatencyProfile",
    degraded: { type: "WorkerLatencyProfileDegraded", failed: "SyncError", fine: "AsExpected" },
    conditions: [progressing, complete],
    watches: [
      watchFor(node, operatorKey, { selection: { fieldSelector: "metadata.name=cluster" } }),
      ...watchSources(pod),
    ],
    resyncMs: 600_000,
    async reconcile({ configuration, parts: { cache } }) {
      const found = cache.find(node, { name: "cluster" });
      const profile = stringAt(found, "spec", "workerLatencyProfile") ?? "";
      if (!found)
        return report(
          "complete",
          "ProfileEmpty",
          "nodes.config.openshift.io/cluster object was not found on the cluster",
        );
      if (profile === "") return report("complete", "ProfileEmpty", "latency profile not set on cluster");
      const revisions = nodeStatuses(configuration).map(({ currentRevision }) => currentRevision);
      if (revisions.includes(0))
        return report(
          "progressing",
          "ProfileUpdateTriggered",
          "one or more static pod(s) are at revision 0 and updating latency profile",
        );
      const configs = revisions.map((revision) =>
        cache.find(resources.configMaps, {
          namespace: pod.namespace,
          name: revisionName(configName, revision),
        }),
      );
      return matchesProfile(configs, profile, wanted)
        ? report("complete", "ProfileUpdated", "all static pod revision(s) have updated latency profile")
        : report(
            "progressing",
            "ProfileUpdateTriggered",
            "one or more static pod revision(s) are updating latency profile",
          );
    },
  });
}

/**
 * True if all configurations have the arguments of the profile.
 * @throws Error for an unknown profile
 */
export function matchesProfile(
  configs: readonly (KubeObject | undefined)[],
  profile: string,
  wanted: readonly LatencyArgument[],
): boolean {
  return configs.every((configMap) =>
    wanted.every(({ path, values }) => {
      const value = values[profile];
      if (value === undefined)
        throw new Error(`unknown worker latency profile found, Profile = ${JSON.stringify(profile)}`);
      return isDeepStrictEqual(
        configAt(tryParseJson(stringAt(configMap, "data", "config.yaml") ?? ""), path),
        [value],
      );
    }),
  );
}

function report(state: "progressing" | "complete", reason: string, message: string) {
  const isComplete = state === "complete";
  const conditions: readonly Condition[] = [
    { type: progressing, status: isComplete ? "False" : "True", reason, ...(isComplete ? {} : { message }) },
    { type: complete, status: isComplete ? "True" : "False", reason, ...(isComplete ? { message } : {}) },
  ];
  return { conditions };
}
