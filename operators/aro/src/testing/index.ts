export { putClusterHistory } from "./cluster-history.ts";
export { condition, type DriftCase, provesRepair, settledFields } from "./drift.ts";
export { type ImpersonatedRequest, requestAs } from "./impersonation.ts";
export { putPool } from "./machine-config-pool.ts";
export { passTime, startOnMovedClock } from "./moved-time.ts";
export { exampleSpec, type TestCluster, testServers } from "./test-cluster.ts";
export type { TestOperator } from "./test-operator.ts";
export {
  networkInterfaceId,
  putMachineSet,
  putMaster,
  securityGroupId,
  startTestSubscription,
  subnetId,
  subscriptionSpec,
  type TestSubscription,
  vnetId,
} from "./test-subscription.ts";
export { watchedKinds } from "./watched-kinds.ts";
