export { type Library, method } from "./functions/overload.ts";
export { fromJson, type JsonField, listFromJson, mapFromJson, objectFromJson, toJson } from "./json-value.ts";
export { CostBudget } from "./meter.ts";
export {
  type Compilation,
  compileExpression,
  type Program,
} from "./program.ts";
export type { Type } from "./type.ts";
export * as celTypes from "./type.ts";
export { errorValue, type ObjectValue, type OpaqueValue, type Result, type Value } from "./value.ts";
export { isIdentifier, reservedWords } from "./words.ts";
