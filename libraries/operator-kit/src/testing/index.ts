export { type KitCluster, type KitClusterOptions, kitServers } from "./kit-cluster.ts";
export { type KitOperator, type KitOperatorOptions, startKitOperator } from "./kit-operator.ts";
export { compareRights, type Permission, permissionsOfAccount } from "./permissions.ts";
export {
  type AlertTest,
  checkRules,
  type InputSeries,
  type RuleGroups,
  testAlerts,
  testAllAlerts,
} from "./promtool.ts";
export { StoredObjects } from "./stored-objects.ts";
export { type Fault, startUnwellFront, type UnwellFront } from "./unwell-front.ts";
