import { parse } from "yaml";
import { parseJson } from "../json/parse.ts";
import { decodeProtobuf, protobufMediaType } from "../protobuf/decode-body.ts";
import { failures } from "../status/status-error.ts";
import { type ApiRequest, mediaTypeOf, readBody } from "./request.ts";

const accepted = ["application/json", "application/yaml"] as const;
/** Aliases may multiply a text's size; more than these no honest document needs. */
const maxAliases = 100;

/** The body as a value, by its media type; `undefined` for an empty body. @throws StatusError 400, 413, 415 */
export async function decodeBody(request: ApiRequest): Promise<unknown> {
  const body = await readBody(request);
  if (body.length === 0) return undefined;
  if (mediaTypeOf(request) === protobufMediaType) return decodeProtobuf(body);
  return decodeText(body.toString(), mediaTypeOf(request));
}

export function decodeText(text: string, mediaType: string): unknown {
  switch (mediaType) {
    case "application/json":
      return parseJson(text);
    case "application/yaml":
    case "application/x-yaml":
    case "text/yaml":
      return parseYaml(text);
    default:
      throw failures.unsupportedMediaType(accepted);
  }
}

function parseYaml(text: string): unknown {
  let json: string | undefined;
  try {
    const value: unknown = parse(text, { maxAliasCount: maxAliases, schema: "core", merge: false });
    json = JSON.stringify(value);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw failures.badRequest(`error parsing YAML: ${why.slice(0, 200)}`);
  }
  // Through JSON, so that the same limits and types hold.
  return parseJson(json ?? "null");
}
