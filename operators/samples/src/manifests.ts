import { fileURLToPath } from "node:url";
import { type OperatorManifest, readManifests } from "@keelson/operator-kit";
import { configDefinition } from "./config/config-definition.ts";

/** Release that contains the operator. */
export interface SamplesRelease {
  /** Image reference of the operator. */
  readonly image: string;
  readonly version: string;
  readonly kubernetesVersion: string;
  /**
   * Returns the image reference for an image name of the release, for example `cli`. Default: the manifests keep their image
   * placeholders.
   */
  readonly releaseImage?: (name: string) => string;
}

/** Images in the manifests, each with its name in a release. */
const releaseImages: readonly (readonly [string, string])[] = [
  ["quay.io/openshift/origin-cli:v4.0", "cli"],
  ["quay.io/openshift/origin-cli-artifacts:v4.0", "cli-artifacts"],
  ["quay.io/openshift/origin-installer:v4.0", "installer"],
  ["quay.io/openshift/origin-installer-artifacts:v4.0", "installer-artifacts"],
  ["quay.io/openshift/origin-tests:v4.0", "tests"],
  ["quay.io/openshift/origin-tools:v4.0", "tools"],
  ["quay.io/openshift/origin-must-gather:v4.0", "must-gather"],
  ["quay.io/openshift/origin-oauth-proxy-samples:v4.4", "oauth-proxy-samples"],
  ["quay.io/openshift/origin-network-tools:latest", "network-tools"],
];

const directory = fileURLToPath(new URL("../manifests", import.meta.url));

/**
 * Returns the operator's manifests for a release. The manifest names contain the run level and the component, as in a release
 * payload.
 */
export function manifests({ image, releaseImage, ...versions }: SamplesRelease): readonly OperatorManifest[] {
  const definition = {
    ...configDefinition,
    metadata: {
      ...configDefinition.metadata,
      annotations: { "include.release.openshift.io/self-managed-high-availability": "true" },
    },
  };
  return [
    { file: "0000_10_samples_01_configs.crd.yaml", object: definition },
    ...readManifests(directory, {
      component: "cluster-samples-operator",
      images: { "keelson:latest": image, ...Object.fromEntries(filledImages(releaseImage)) },
      ...versions,
    }),
  ];
}

function filledImages(releaseImage: SamplesRelease["releaseImage"]) {
  return releaseImage ? releaseImages.map(([image, name]) => [image, releaseImage(name)] as const) : [];
}
