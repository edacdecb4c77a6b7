export { builtinTypes } from "./builtin-types.ts";
export { type DecodeResult, decodeToType, type Mismatch } from "./decode-to-type.ts";
export type { MergeRule } from "./merge-rules.ts";
export { type Subresource, subresourceOf } from "./subresource.ts";
export {
  allTypes,
  type FieldSchema,
  type GroupVersionKind,
  type ListSchema,
  type MapSchema,
  type ObjectSchema,
  type ScalarSchema,
  type TypeSchema,
  typeNameOf,
  typeOf,
} from "./type-schema.ts";
