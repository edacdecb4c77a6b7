export { condition, type DriftCase, provesRepair } from "./drift.ts";
export { exampleSpec, type TestCluster, type TestClusterOptions, testServers } from "./test-cluster.ts";
export type { TestOperator, TestOperatorOptions } from "./test-operator.ts";
