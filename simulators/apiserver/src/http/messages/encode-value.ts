import { exactJson } from "@keelson/base";
import { encodeProtobuf, protobufTypeOf, yamlText } from "@keelson/wire-formats";
import { parseApiVersion } from "../../resources/served-resource.ts";
import { type Media, mediaTypes, negotiateMedia } from "./negotiation.ts";

/** Encoded document. */
export interface EncodedValue {
  readonly contentType: string;
  readonly body: Buffer;
}

/** Encodes a value in the media type that the `Accept` header prefers. Default: JSON. */
export function encodeValue(header: string | undefined, value: object): EncodedValue {
  return encodeAs(negotiateMedia(header), value);
}

/** Encodes a value in a media type. Uses JSON if the value's kind has no protocol buffer message. */
export function encodeAs(media: Media, value: object): EncodedValue {
  if (media === "yaml") return { contentType: mediaTypes.yaml, body: yamlText(value) };
  const { apiVersion, kind } = namedBy(value);
  const type = media === "protobuf" ? protobufTypeOf({ ...parseApiVersion(apiVersion), kind }) : undefined;
  if (type) {
    return { contentType: mediaTypes.protobuf, body: encodeProtobuf({ apiVersion, kind }, type, value) };
  }
  return { contentType: mediaTypes.json, body: Buffer.from(exactJson(value)) };
}

function namedBy(value: object): { readonly apiVersion: string; readonly kind: string } {
  const text = (member: unknown) => (typeof member === "string" ? member : "");
  return {
    apiVersion: "apiVersion" in value ? text(value.apiVersion) : "",
    kind: "kind" in value ? text(value.kind) : "",
  };
}
