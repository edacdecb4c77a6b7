import { listAt, stringAt } from "@keelson/base";

/** The feature gates of one version of the cluster. */
export interface FeatureGates {
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
}

/**
 * Feature gates of a version in FeatureGate `cluster`.
 * @throws Error if the status lacks the version
 */
export function featureGatesOf(featureGate: unknown, version: string): FeatureGates {
  const details = listAt(featureGate, "status", "featureGates").find(
    (each) => stringAt(each, "version") === version,
  );
  if (!details)
    throw new Error(`missing desired version "${version}" in featuregates.config.openshift.io/cluster`);
  return { enabled: names(details, "enabled"), disabled: names(details, "disabled") };
}

export function isEnabled({ enabled }: FeatureGates, gate: string): boolean {
  return enabled.includes(gate);
}

/** All known gates in the format of `--feature-gates`, enabled ones first. */
export function featureGateArguments({ enabled, disabled }: FeatureGates): readonly string[] {
  return [...enabled.map((name) => `${name}=true`), ...disabled.map((name) => `${name}=false`)];
}

/** Sorted, so that a different order in the status does not change the configuration. */
function names(details: unknown, member: string): readonly string[] {
  return listAt(details, member)
    .flatMap((each) => stringAt(each, "name") ?? [])
    .sort();
}
