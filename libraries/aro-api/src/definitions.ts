import { customResourceDefinition, type KubeObject, resources } from "@keelson/kube";
import { clusterSpec, clusterStatus } from "./cluster-schema.ts";
import { previewFeatureSpec, previewFeatureStatus } from "./preview-feature-schema.ts";

/** The operator's CustomResourceDefinitions, without all of which it does not start. */
export const aroDefinitions: readonly KubeObject[] = [
  customResourceDefinition(resources.aroClusters, { spec: clusterSpec, status: clusterStatus }),
  customResourceDefinition(resources.previewFeatures, {
    spec: previewFeatureSpec,
    status: previewFeatureStatus,
  }),
];
