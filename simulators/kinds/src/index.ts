export { builtinKinds, kindNamed, kindOf } from "./builtin/builtin-kinds.ts";
export { builtinTypes } from "./builtin/builtin-types.ts";
export { kubernetesVersion, referenceVersion } from "./builtin/kubernetes-version.ts";
export { Findings } from "./catalogue/findings.ts";
export { dnsSubdomain, labelValue, pathSegmentName, qualifiedName } from "./catalogue/names.ts";
export { podResources } from "./catalogue/pod-resources.ts";
export { storageClassOf } from "./catalogue/storage-class-of.ts";
export { packageOf } from "./catalogue/type-schema.ts";
export {
  ageColumn,
  type Cell,
  type Column,
  customColumn,
  nameColumn,
  plainColumns,
} from "./columns/column.ts";
export type { HoldingsOf } from "./kinds/holdings.ts";
export type { Kind } from "./kinds/kind.ts";
export type { GenerationRules, Strategy, StrategyContext } from "./kinds/strategy.ts";
export type { Evaluator } from "./quota/evaluator.ts";
export { objectCountName, one, wholeQuantity } from "./quota/object-count.ts";
export { scopesOf } from "./quota/scopes.ts";
export { freePlace } from "./services/service-pools.ts";
export { checkChange, checkType } from "./types/check-type.ts";
export { withTypeDefaults } from "./types/defaults.ts";
export { enumFields, enumOf } from "./types/enums.ts";
export {
  allTypes,
  type DecodeResult,
  decodeToType,
  type FieldSchema,
  type GroupVersionKind,
  type MergeRule,
  type ObjectSchema,
  type TypeSchema,
  typeNameOf,
  typeOf,
} from "./types/index.ts";
export { factLines } from "./types/known-facts.ts";
