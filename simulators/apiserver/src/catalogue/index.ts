export { type DecodeResult, decodeToType } from "./decode-to-type.ts";
export type { MergeRule } from "./merge-rules.ts";
export type {
  FieldSchema,
  GroupVersionKind,
  ObjectSchema,
  TypeSchema,
} from "./type-schema.ts";
export { allTypes, typeNameOf, typeOf } from "./types.ts";
