export type { DeclaredMergeRules } from "./patch/declared-merge-schema.ts";
export { applyJsonPatch } from "./patch/json-patch.ts";
export { applyMergePatch } from "./patch/merge-patch.ts";
export { applyStrategicMergePatch } from "./patch/strategic-merge-patch.ts";
export { decodeProtobuf, protobufMediaType } from "./protobuf/decode-body.ts";
export {
  encodeProtobuf,
  encodeProtobufEvent,
  encodeProtobufItem,
  encodeProtobufList,
  partialObjectMetadata,
  protobufTypeOf,
} from "./protobuf/encode-body.ts";
export { type Field, flagField, messageField, textField, textFields } from "./protobuf/protobuf-writer.ts";
export { readFields, type WireField } from "./protobuf/wire.ts";
export { tableInRows, toTable } from "./table/table.ts";
export { type DecodedBody, decodeJsonAsYaml, decodeYaml } from "./yaml/decode-yaml.ts";
export { yamlText } from "./yaml/yaml-text.ts";
