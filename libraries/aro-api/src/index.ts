export { type AroCluster, type ClusterSpec, clusters, singleton } from "./cluster-resource.ts";
export { aroDefinitions } from "./definitions.ts";
export { defaultOperatorFlags, flagOr, isFlagOn } from "./operator-flags.ts";
export { type PreviewFeature, previewFeatures } from "./preview-feature-resource.ts";
