export type { OperatorRole } from "@keelson/aro-api";
export {
  type AroOperator,
  type AroOperatorOptions,
  createAroOperator,
} from "./aro-operator.ts";
