export { regenerationControllers } from "./certificates/regeneration.ts";
export { namespaces } from "./config/namespaces.ts";
export { readSnapshot } from "./diff/cluster-snapshot.ts";
export { diffText } from "./diff/diff-text.ts";
export { revisionDiff } from "./diff/revision-diff.ts";
export { graphSvg } from "./graph/graph-svg.ts";
export { graphDot, resourceGraph } from "./graph/resource-graph.ts";
export {
  createKubeApiserverOperator,
  type KubeApiserverOperator,
  type KubeApiserverOperatorOptions,
} from "./kube-apiserver-operator.ts";
export { manifests } from "./manifests.ts";
export { syncedSources } from "./operand/operand-sources.ts";
export { render } from "./render/render.ts";
export { apiServerState } from "./startup-monitor/readiness.ts";
