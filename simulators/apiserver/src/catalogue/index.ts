export { type DecodeResult, decodeToType, type Mismatch } from "./decode-to-type.ts";
export type { MergeRule } from "./merge-rules.ts";
export type {
  FieldSchema,
  GroupVersionKind,
  ListSchema,
  MapSchema,
  ObjectSchema,
  ScalarSchema,
  TypeSchema,
} from "./type-schema.ts";
export { allTypes, typeNameOf, typeOf } from "./types.ts";
