export type { OperatorRole } from "@keelson/aro-api";
export {
  type AroOperatorOptions,
  createAroOperator,
} from "./aro-operator.ts";
