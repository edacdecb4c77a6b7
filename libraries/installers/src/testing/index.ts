export { hiveDefinitions } from "./hive-definitions.ts";
export { type HiveDoubleOptions, type JobResult, runHiveDouble } from "./hive-double.ts";
