import { isDeepStrictEqual } from "node:util";
import { listAt, numberAt, stringAt, tryParseJson } from "@keelson/base";
import { resources } from "@keelson/kube";
import {
  type ConfigObserver,
  configAt,
  type LatencyArgument,
  type ObservedObjects,
  type SparseConfig,
} from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";
import { argumentPath, withArguments } from "./arguments.ts";
import { clusterInput, namespaceInput, singleton } from "./inputs.ts";

/**
 * API server arguments for the default tolerations, in seconds. A pod that sets no toleration stays on an unreachable node, or on
 * a node that is not ready, for this time.
 */
const argumentNames = ["default-not-ready-toleration-seconds", "default-unreachable-toleration-seconds"];
const paths = argumentNames.map(argumentPath);

const tolerationSeconds = { Default: "300", MediumUpdateAverageReaction: "60", LowUpdateSlowReaction: "60" };

export const latencyArguments: readonly LatencyArgument[] = paths.map((path) => ({
  path,
  values: tolerationSeconds,
}));

/** Returns the arguments of a profile. `undefined` for an unknown profile. */
function argumentsOf(profile: string): SparseConfig | undefined {
  if (profile === "") return {};
  const seconds = new Map(Object.entries(tolerationSeconds)).get(profile);
  return seconds === undefined
    ? undefined
    : withArguments(Object.fromEntries(argumentNames.map((name) => [name, [seconds]])));
}

export const observeLatencyProfile: ConfigObserver = {
  name: "ObserveLatencyProfile",
  paths,
  inputs: [
    clusterInput(resources.configNodes),
    clusterInput(resources.kubeApiServers),
    namespaceInput(resources.configMaps, namespaces.target),
  ],
  observe({ objects, existing }) {
    const node = objects.find(resources.configNodes, singleton);
    // A new profile is applied only after all API servers run with the arguments of the previous profile.
    if (!node || !allRunWith(existing, objects)) return { config: existing };
    return { config: argumentsOf(stringAt(node, "spec", "workerLatencyProfile") ?? "") ?? existing };
  },
};

function allRunWith(existing: SparseConfig, objects: ObservedObjects): boolean {
  const operator = objects.find(resources.kubeApiServers, singleton);
  const revisions = listAt(operator, "status", "nodeStatuses").map(
    (each) => numberAt(each, "currentRevision") ?? 0,
  );
  return [...new Set(revisions)]
    .filter((revision) => revision > 0)
    .every((revision) => runsWith(revision, existing, objects));
}

/** True if the configuration of a revision contains the given arguments. */
function runsWith(revision: number, wanted: SparseConfig, objects: ObservedObjects): boolean {
  const key = { namespace: namespaces.target, name: `config-${revision}` };
  const text = stringAt(objects.find(resources.configMaps, key), "data", "config.yaml");
  const config = tryParseJson(text ?? "");
  if (config === undefined) return false;
  return paths.every((path) => isDeepStrictEqual(configAt(config, path), configAt(wanted, path)));
}
