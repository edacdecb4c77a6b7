import { allTypes, type GroupVersionKind, type ObjectSchema, typeNameOf } from "@keelson/kinds";
import { fieldNumbers, metaKinds } from "./decode-message.ts";
import { encodeMessage } from "./encode-message.ts";
import { ReverseWriter } from "./reverse-writer.ts";

const magic = Buffer.from("k8s\0");

/** The type of a kind that can be written as a protocol buffer message; `undefined` for all others. */
export function protobufTypeOf(kind: GroupVersionKind): ObjectSchema | undefined {
  const name = metaKinds.has(kind.kind) ? `meta.v1.${kind.kind}` : typeNameOf(kind);
  const type = name === undefined ? undefined : allTypes().get(name);
  return type && fieldNumbers().has(type.name) ? type : undefined;
}

/** What every object begins with, whatever its kind. */
export function partialObjectMetadata(): ObjectSchema {
  const schema = allTypes().get("meta.v1.ObjectMeta");
  return {
    type: "object",
    name: "meta.v1.PartialObjectMetadata",
    fields: new Map(schema ? [["metadata", { schema, required: false }]] : []),
  };
}

/** An object in the envelope that `decodeProtobuf` reads. */
export function encodeProtobuf(
  named: { readonly apiVersion: string; readonly kind: string },
  type: ObjectSchema,
  object: object,
): Buffer {
  return enveloped(named, (writer) => encodeMessage(writer, type, object));
}

/** An object as an item of a list: without an envelope. */
export function encodeProtobufItem(type: ObjectSchema, object: object): Buffer {
  const writer = new ReverseWriter();
  encodeMessage(writer, type, object);
  return writer.bytes();
}

/** A list of encoded items in its envelope: every list has its metadata (1) before its items (2). */
export function encodeProtobufList(
  named: { readonly apiVersion: string; readonly kind: string },
  metadata: object,
  items: readonly Buffer[],
): Buffer {
  const listMeta = allTypes().get("meta.v1.ListMeta");
  return enveloped(named, (writer) => {
    for (const item of items.toReversed()) nested(writer, 2, () => writer.raw(item));
    if (listMeta) nested(writer, 1, () => encodeMessage(writer, listMeta, metadata));
  });
}

/** A frame of a watch: its length in four bytes, and a WatchEvent whose object (2) has an envelope of its own. */
export function encodeProtobufEvent(type: string, object: Buffer): Buffer {
  const writer = new ReverseWriter();
  nested(writer, 2, () => nested(writer, 1, () => writer.raw(object)));
  nested(writer, 1, () => writer.text(type));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(writer.length);
  writer.raw(length);
  return writer.bytes();
}

/** runtime.Unknown: what it is (1), the message (2), and no encoding (3) or media type (4) of it. */
function enveloped(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  writeMessage: (writer: ReverseWriter) => void,
): Buffer {
  const writer = new ReverseWriter();
  for (const number of [4, 3]) writer.lengthDelimited(number, writer.length);
  nested(writer, 2, () => writeMessage(writer));
  nested(writer, 1, () => {
    nested(writer, 2, () => writer.text(kind));
    nested(writer, 1, () => writer.text(apiVersion));
  });
  writer.raw(magic);
  return writer.bytes();
}

function nested(writer: ReverseWriter, number: number, write: () => void): void {
  const end = writer.length;
  write();
  writer.lengthDelimited(number, end);
}
