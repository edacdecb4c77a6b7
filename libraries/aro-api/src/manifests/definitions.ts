import { customResourceDefinition, type KubeObject, resources } from "@keelson/kube";
import { clusterSpec, clusterStatus } from "../schemas/cluster-schema.ts";
import { previewFeatureSpec, previewFeatureStatus } from "../schemas/preview-feature-schema.ts";

/** The operator's CustomResourceDefinitions, without all of which it does not start. */
export const aroDefinitions: readonly KubeObject[] = [
  customResourceDefinition(resources.aroClusters, { spec: clusterSpec, status: clusterStatus }),
  customResourceDefinition(resources.previewFeatures, {
    spec: previewFeatureSpec,
    status: previewFeatureStatus,
  }),
];
