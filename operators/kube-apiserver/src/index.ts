export { clientCaSources, combinedCa, serverCaSources } from "./certificates/client-ca.ts";
export { type RegenerationContext, regenerationControllers } from "./certificates/regeneration.ts";
export { defaultPeriods, rotationRows, shortPeriods } from "./certificates/rotation-rows.ts";
export { type ReleasedDefinition, releasedDefinitions } from "./definition/definition.ts";
export { readSnapshot } from "./diff/cluster-snapshot.ts";
export { diffText } from "./diff/diff-text.ts";
export { type RevisionDiff, revisionDiff } from "./diff/revision-diff.ts";
export { graphSvg } from "./graph/graph-svg.ts";
export { graphDot, resourceGraph } from "./graph/resource-graph.ts";
export {
  createKubeApiserverOperator,
  type KubeApiserverOperator,
  type KubeApiserverOperatorOptions,
} from "./kube-apiserver-operator.ts";
export { type KubeApiserverRelease, manifests } from "./manifests.ts";
export { namespaces } from "./namespaces.ts";
export { revisionedSources, syncedSources } from "./operand/operand-sources.ts";
export { render } from "./render/render.ts";
export { type RenderOptions, renderDefaults } from "./render/render-options.ts";
export { apiServerState, type ReadinessOptions } from "./startup-monitor/readiness.ts";
