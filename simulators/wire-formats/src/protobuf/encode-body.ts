import { allTypes, type GroupVersionKind, type ObjectSchema, typeNameOf } from "@keelson/kinds";
import { fieldNumbers, metaKinds } from "./decode-message.ts";
import { encodeMessage } from "./encode-message.ts";
import { ReverseWriter } from "./reverse-writer.ts";

const magic = Buffer.from("k8s\0");

/** Returns the type of a kind that has a protocol buffer message, or undefined for other kinds. */
export function protobufTypeOf(kind: GroupVersionKind): ObjectSchema | undefined {
  const name = metaKinds.has(kind.kind) ? `meta.v1.${kind.kind}` : typeNameOf(kind);
  const type = name === undefined ? undefined : allTypes().get(name);
  return type && fieldNumbers().has(type.name) ? type : undefined;
}

/** Returns the type of an object that contains only metadata. */
export function partialObjectMetadata(): ObjectSchema {
  const schema = allTypes().get("meta.v1.ObjectMeta");
  return {
    type: "object",
    name: "meta.v1.PartialObjectMetadata",
    fields: new Map(schema ? [["metadata", { schema, required: false }]] : []),
  };
}

/** Encodes an object in the envelope that `decodeProtobuf` reads. */
export function encodeProtobuf(
  named: { readonly apiVersion: string; readonly kind: string },
  type: ObjectSchema,
  object: object,
): Buffer {
  return enveloped(named, (writer) => encodeMessage(writer, type, object));
}

/** Encodes an object as a list item, without an envelope. */
export function encodeProtobufItem(type: ObjectSchema, object: object): Buffer {
  const writer = new ReverseWriter();
  encodeMessage(writer, type, object);
  return writer.bytes();
}

/**
 * Encodes a list and its envelope. `items` are already encoded. Field 1 of a list contains the metadata, and field 2 contains the
 * items.
 */
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

/**
 * Encodes a watch frame. The frame consists of its length in four bytes and a WatchEvent. The object in field 2 of the WatchEvent
 * has a separate envelope.
 */
export function encodeProtobufEvent(type: string, object: Buffer): Buffer {
  const writer = new ReverseWriter();
  nested(writer, 2, () => nested(writer, 1, () => writer.raw(object)));
  nested(writer, 1, () => writer.text(type));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(writer.length);
  writer.raw(length);
  return writer.bytes();
}

/**
 * Writes a runtime.Unknown message: type (field 1), message (2), encoding (3) and media type (4). Encoding and media type are
 * empty.
 */
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
