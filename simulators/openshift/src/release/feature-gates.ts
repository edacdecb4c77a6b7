import { readFileSync } from "node:fs";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";
import { type FeatureSet, parseFeatureSet } from "./feature-set.ts";
import type { GatesBySet } from "./release-files.ts";

let read: GatesBySet | undefined;

export interface FeatureGateDetails {
  readonly version: string;
  readonly enabled: readonly { readonly name: string }[];
  readonly disabled: readonly { readonly name: string }[];
}

/**
 * Returns `status.featureGates` of a FeatureGate. Each version lists all gates of the release as enabled or disabled. For
 * `CustomNoUpgrade`, the gates in `spec.customNoUpgrade` override the gates of the default feature set.
 */
export function featureGatesOf(
  featureGate: KubeObject | undefined,
  versions: readonly string[],
): readonly FeatureGateDetails[] {
  const set = parseFeatureSet(stringAt(featureGate, "spec", "featureSet"));
  const { enabled, disabled } = gatesOfSet(set);
  const custom = (member: string) =>
    set === "CustomNoUpgrade"
      ? listAt(featureGate, "spec", "customNoUpgrade", member).filter((name) => typeof name === "string")
      : [];
  const [on, off] = [new Set(custom("enabled")), new Set(custom("disabled"))];
  const named = (names: Iterable<string>) => [...new Set(names)].toSorted().map((name) => ({ name }));
  const details = {
    enabled: named([...enabled.filter((name) => !off.has(name)), ...on]),
    disabled: named([...disabled.filter((name) => !on.has(name)), ...off]),
  };
  return versions.map((version) => ({ version, ...details }));
}

function gatesOfSet(set: FeatureSet): {
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
} {
  read ??= JSON.parse(readFileSync(new URL("feature-gates.json", import.meta.url), "utf8")) as GatesBySet;
  const found = read[set === "CustomNoUpgrade" ? "Default" : set];
  if (!found) throw new TypeError(`feature-gates.json has no feature set ${set}`);
  return found;
}
