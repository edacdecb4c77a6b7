export { type KitCluster, kitServers } from "./kit-cluster.ts";
export { type KitOperator, startKitOperator } from "./kit-operator.ts";
export { compareRights, permissionsOfAccount } from "./permissions.ts";
export {
  checkRules,
  type InputSeries,
  type RuleGroups,
  testAlerts,
  testAllAlerts,
} from "./promtool.ts";
export { StoredObjects } from "./stored-objects.ts";
export { type Fault, startUnwellFront, type UnwellFront } from "./unwell-front.ts";
