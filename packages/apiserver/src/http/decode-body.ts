import { duplicateMembers } from "../json/duplicate-members.ts";
import { parseJson } from "../json/parse.ts";
import { decodeProtobuf, protobufMediaType } from "../protobuf/decode-body.ts";
import { failures } from "../status/status-error.ts";
import type { DecodedBody } from "../yaml/decode-yaml.ts";
import { readYaml } from "../yaml/read-yaml.ts";
import { type ApiRequest, mediaTypeOf, readBody } from "./request.ts";

const accepted = ["application/json", "application/yaml", protobufMediaType] as const;

export type { DecodedBody } from "../yaml/decode-yaml.ts";

/** The body as a value, by its media type; `undefined` for an empty body. @throws StatusError 400, 413, 415 */
export async function decodeBody(request: ApiRequest): Promise<unknown> {
  return (await decodeStrictly(request)).value;
}

/** As `decodeBody`, for writes whose fields are validated. @throws StatusError 400, 413, 415 */
export async function decodeStrictly(request: ApiRequest): Promise<DecodedBody> {
  const body = await readBody(request);
  if (body.length === 0) return { value: undefined, strictErrors: [] };
  const mediaType = mediaTypeOf(request);
  if (mediaType === protobufMediaType) return { value: decodeProtobuf(body), strictErrors: [] };
  const text = body.toString();
  switch (mediaType) {
    case "application/json":
      return decodeJson(text);
    case "application/yaml":
    case "application/x-yaml":
    case "text/yaml":
      return readYaml(text);
    default:
      throw failures.unsupportedMediaType(accepted);
  }
}

export function decodeJson(text: string): DecodedBody {
  const value = parseJson(text);
  const strictErrors = duplicateMembers(text, value).map(({ path }) => `duplicate field "${path}"`);
  return { value, strictErrors };
}
