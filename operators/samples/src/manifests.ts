import { fileURLToPath } from "node:url";
import { type OperatorManifest, readManifests } from "@keelson/operator-kit";
import { configDefinition } from "./config/config-definition.ts";

/** The release that the operator is a part of. */
export interface SamplesRelease {
  /** Reference of the operator's image. */
  readonly image: string;
  readonly version: string;
  readonly kubernetesVersion: string;
  /** Reference of an image of the release by its name, for example `cli`. Default: references that no release has filled in. */
  readonly releaseImage?: (name: string) => string;
}

/** Images that the manifests name, and their names in a release. */
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

const folder = fileURLToPath(new URL("../manifests", import.meta.url));

/** Manifests of the operator in a release, with run level and component in the form of a payload. */
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
    ...readManifests(folder, {
      component: "cluster-samples-operator",
      images: { "keelson:latest": image, ...Object.fromEntries(filledImages(releaseImage)) },
      ...versions,
    }),
  ];
}

function filledImages(releaseImage: SamplesRelease["releaseImage"]) {
  return releaseImage ? releaseImages.map(([image, name]) => [image, releaseImage(name)] as const) : [];
}
