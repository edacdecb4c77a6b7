import { customResourceDefinition, type KubeObject, resources } from "@keelson/kube";
import { clusterSpec, clusterStatus } from "../schemas/cluster-schema.ts";
import { previewFeatureSpec, previewFeatureStatus } from "../schemas/preview-feature-schema.ts";

/** CustomResourceDefinitions of the operator. The operator does not start if one is missing. */
export const aroDefinitions: readonly KubeObject[] = [
  customResourceDefinition(resources.aroClusters, { spec: clusterSpec, status: clusterStatus }),
  customResourceDefinition(resources.previewFeatures, {
    spec: previewFeatureSpec,
    status: previewFeatureStatus,
  }),
];
