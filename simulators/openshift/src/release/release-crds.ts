import { readdirSync, readFileSync } from "node:fs";
import type { KubeObject } from "@keelson/apiserver";
import { featureSetsOf } from "./crd-manifest.ts";
import type { FeatureSet } from "./feature-set.ts";
import { joinParts, type SharedParts } from "./shared-parts.ts";

const directory = new URL("crds/", import.meta.url);
let read: readonly KubeObject[] | undefined;

/**
 * Returns the release's CustomResourceDefinitions for a feature set, without descriptions. All clusters share these objects, so
 * callers must not modify them.
 */
export function releaseCrds(featureSet: FeatureSet): readonly KubeObject[] {
  return allReleaseCrds().filter((manifest) => {
    const sets = featureSetsOf(manifest);
    return sets === "all" || sets.includes(featureSet);
  });
}

/**
 * Returns the CRD manifests of all feature sets. If a CRD differs between feature sets, its name occurs once for each variant.
 */
export function allReleaseCrds(): readonly KubeObject[] {
  read ??= readdirSync(directory)
    .toSorted()
    .flatMap((name) => {
      const packed: SharedParts = JSON.parse(readFileSync(new URL(name, directory), "utf8"));
      return joinParts(packed) as readonly KubeObject[];
    });
  return read;
}
