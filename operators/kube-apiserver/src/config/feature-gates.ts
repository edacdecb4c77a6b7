import { listAt, stringAt } from "@keelson/base";

/** Feature gates of one cluster version. */
export interface FeatureGates {
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
}

/**
 * Returns the feature gates of a cluster version from FeatureGate `cluster`.
 * @throws Error if the status lacks the version
 */
export function featureGatesOf(featureGate: unknown, version: string): FeatureGates {
  const gates = findFeatureGates(featureGate, version);
  if (!gates)
    throw new Error(`missing desired version "${version}" in featuregates.config.openshift.io/cluster`);
  return gates;
}

/** Returns the feature gates of a cluster version from FeatureGate `cluster`. `undefined` if the status lacks the version. */
export function findFeatureGates(featureGate: unknown, version: string): FeatureGates | undefined {
  const details = listAt(featureGate, "status", "featureGates").find(
    (each) => stringAt(each, "version") === version,
  );
  if (!details) return undefined;
  return { enabled: names(details, "enabled"), disabled: names(details, "disabled") };
}

export function isEnabled({ enabled }: FeatureGates, gate: string): boolean {
  return enabled.includes(gate);
}

/** Returns all known gates in the format of `--feature-gates`. Enabled gates come first. */
export function featureGateArguments({ enabled, disabled }: FeatureGates): readonly string[] {
  return [...enabled.map((name) => `${name}=true`), ...disabled.map((name) => `${name}=false`)];
}

/** Returns the sorted names. The configuration therefore does not depend on the order in the status. */
function names(details: unknown, member: string): readonly string[] {
  return listAt(details, member)
    .flatMap((each) => stringAt(each, "name") ?? [])
    .sort();
}
