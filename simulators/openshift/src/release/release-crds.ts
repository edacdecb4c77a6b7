import { readdirSync, readFileSync } from "node:fs";
import type { KubeObject } from "@keelson/apiserver";
import { featureSetsOf } from "./crd-manifest.ts";
import type { FeatureSet } from "./feature-set.ts";
import { joinParts, type SharedParts } from "./shared-parts.ts";

const folder = new URL("crds/", import.meta.url);
let read: readonly KubeObject[] | undefined;

/**
 * CustomResourceDefinitions of the release for a feature set, without descriptions. They are read once,
 * shared by all clusters and must not be modified.
 */
export function releaseCrds(featureSet: FeatureSet): readonly KubeObject[] {
  return allReleaseCrds().filter((manifest) => {
    const sets = featureSetsOf(manifest);
    return sets === "all" || sets.includes(featureSet);
  });
}

/** The manifests of all feature sets: several of one name where a kind differs between them. */
export function allReleaseCrds(): readonly KubeObject[] {
  read ??= readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const packed: SharedParts = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
      return joinParts(packed) as readonly KubeObject[];
    });
  return read;
}
