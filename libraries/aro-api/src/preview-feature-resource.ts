import { type KubeObject, type KubeResource, resources } from "@keelson/kube";
import type { PreviewFeatureSpec, PreviewFeatureStatus } from "./schemas/preview-feature-schema.ts";

/** The singleton `cluster` of previewfeatures.preview.aro.openshift.io/v1alpha1. */
export interface PreviewFeature extends KubeObject {
  readonly spec?: PreviewFeatureSpec;
  readonly status?: PreviewFeatureStatus;
}

export const previewFeatures: KubeResource<PreviewFeature> = resources.previewFeatures;
