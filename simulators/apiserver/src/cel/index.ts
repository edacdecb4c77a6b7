export { func, type Library, method, type Overload } from "./functions/overload.ts";
export { fromJson, type JsonField, listFromJson, mapFromJson, objectFromJson, toJson } from "./json-value.ts";
export { CostBudget } from "./meter.ts";
export {
  type Compilation,
  type CompileOptions,
  compileExpression,
  type Evaluation,
  type Program,
} from "./program.ts";
export type { Type } from "./type.ts";
export * as celTypes from "./type.ts";
export { errorValue, isError, type ObjectValue, type OpaqueValue, type Result, type Value } from "./value.ts";
export { isIdentifier, reservedWords } from "./words.ts";
