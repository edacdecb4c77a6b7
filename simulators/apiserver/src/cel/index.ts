export { type Library, method } from "./functions/overload.ts";
export { fromJson, type JsonField, listFromJson, mapFromJson, objectFromJson, toJson } from "./json-value.ts";
export {
  type Compilation,
  compileExpression,
  type Program,
} from "./program.ts";
export { isIdentifier, reservedWords } from "./syntax/words.ts";
export { CostBudget } from "./values/meter.ts";
export type { Type } from "./values/type.ts";
export * as celTypes from "./values/type.ts";
export { errorValue, type ObjectValue, type OpaqueValue, type Result, type Value } from "./values/value.ts";
