import { failures, type KubeObject } from "@keelson/apimachinery";
import type { ObjectSchema } from "@keelson/kinds";
import {
  encodeProtobuf,
  encodeProtobufEvent,
  encodeProtobufItem,
  encodeProtobufList,
  partialObjectMetadata,
  protobufTypeOf,
} from "@keelson/wire-formats";
import { apiVersionOf, type ServedResource } from "../../resources/served-resource.ts";
import { encodeAs } from "./encode-value.ts";
import { encodedParts } from "./encoded-parts.ts";
import { bookmarkOf, listMeta } from "./list-meta.ts";
import { mediaTypes } from "./negotiation.ts";
import type { Representation } from "./representation.ts";

/** Returns an encoder for objects of a built-in kind. The result is a protocol buffer message. */
export function protobufObjects(resource: ServedResource): Representation {
  const type = protobufTypeOf(resource.type);
  if (!type) throw failures.notAcceptable([mediaTypes.json, mediaTypes.yaml]);
  const { kind } = resource.type;
  return messages("object", apiVersionOf(resource.type), kind, resource.listKind, type, (object) => object);
}

/** Returns an encoder for the metadata of objects of any kind. The result is a protocol buffer message. */
export function protobufPartials(metaApiVersion: string): Representation {
  const kind = "PartialObjectMetadata";
  const shown = ({ metadata }: KubeObject) => ({ metadata });
  const key = `partial ${metaApiVersion}`;
  return messages(key, metaApiVersion, kind, `${kind}List`, partialObjectMetadata(), shown);
}

function messages(
  key: string,
  apiVersion: string,
  kind: string,
  listKind: string,
  type: ObjectSchema,
  shown: (object: KubeObject) => object,
): Representation {
  return {
    key: `protobuf ${key}`,
    contentType: mediaTypes.protobuf,
    streamType: `${mediaTypes.protobuf};stream=watch`,
    reads: "objects",
    one: ({ object }) => encodeProtobuf({ apiVersion, kind }, type, shown(object)),
    *list(page) {
      const items = yield* encodedParts(page, ({ object }) => [encodeProtobufItem(type, shown(object))]);
      return encodeProtobufList({ apiVersion, kind: listKind }, listMeta(page), items);
    },
    bookmark: (revision, annotations) =>
      encodeProtobuf({ apiVersion, kind }, type, bookmarkOf(apiVersion, kind, revision, annotations)),
    frame: encodeProtobufEvent,
    failure: (status) => encodeAs("protobuf", status).body,
  };
}
