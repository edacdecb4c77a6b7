export { type DecodeResult, decodeToType } from "../catalogue/decode-to-type.ts";
export type {
  FieldSchema,
  GroupVersionKind,
  MergeRule,
  ObjectSchema,
  TypeSchema,
} from "../catalogue/type-schema.ts";
export { allTypes, typeNameOf, typeOf } from "./types.ts";
