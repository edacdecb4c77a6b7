export { ipText, masked, parseCidr, parseIp, within } from "./functions/ip-address.ts";
export { type Library, method } from "./functions/overload.ts";
export { fromJson, type JsonField, listFromJson, mapFromJson, objectFromJson, toJson } from "./json-value.ts";
export {
  type Compilation,
  compileExpression,
  type Program,
} from "./program.ts";
export { isIdentifier, reservedWords } from "./syntax/words.ts";
export { stepsPerNode } from "./values/match-text.ts";
export { CostBudget } from "./values/meter.ts";
export { findRegex } from "./values/regex.ts";
export { isTimestamp, parseDuration, parseTimestamp } from "./values/time.ts";
export type { Type } from "./values/type.ts";
export * as celTypes from "./values/type.ts";
export {
  type BytesValue,
  errorValue,
  isError,
  type ListShape,
  none,
  type ObjectValue,
  type OpaqueValue,
  optionalOf,
  type Result,
  type Value,
} from "./values/value.ts";
