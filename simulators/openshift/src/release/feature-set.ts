/** Feature sets of a FeatureGate (config.openshift.io/v1). `Default` corresponds to an empty `spec.featureSet`. */
export const featureSets = [
  "Default",
  "TechPreviewNoUpgrade",
  "CustomNoUpgrade",
  "DevPreviewNoUpgrade",
  "OKD",
] as const;

export type FeatureSet = (typeof featureSets)[number];

/** Parses `spec.featureSet`. @throws TypeError for an unknown feature set */
export function parseFeatureSet(name: string | undefined): FeatureSet {
  if (!name) return "Default";
  const found = featureSets.find((each) => each === name);
  if (!found) throw new TypeError(`spec.featureSet: ${name} is none of ${featureSets.join(", ")}`);
  return found;
}
