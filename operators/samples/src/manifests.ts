import { fileURLToPath } from "node:url";
import { type OperatorManifest, readManifests } from "@keelson/operator-kit";
import { configDefinition } from "./config/config-definition.ts";

/** The release that the operator is a part of. */
export interface SamplesRelease {
  /** Reference of the operator's image. */
  readonly image: string;
  readonly version: string;
  readonly kubernetesVersion: string;
}

const folder = fileURLToPath(new URL("../manifests", import.meta.url));

/** What the operator brings into a release: with run level and component, as a payload has them. */
export function manifests({ image, ...versions }: SamplesRelease): readonly OperatorManifest[] {
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
      images: { "keelson:latest": image },
      ...versions,
    }),
  ];
}
