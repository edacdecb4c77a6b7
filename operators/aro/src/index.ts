export {
  type AroOperator,
  type AroOperatorOptions,
  createAroOperator,
  operatorNamespace,
} from "./aro-operator.ts";
export type { OperatorRole } from "./runtime/operator-context.ts";
