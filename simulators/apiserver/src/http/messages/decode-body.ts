import { duplicateMembers, failures, parseJson, sharedTurns } from "@keelson/apimachinery";
import { type DecodedBody, decodeProtobuf, protobufMediaType } from "@keelson/wire-formats";
import { protobufTask } from "../../threads/decode-protobuf-task.ts";
import { readYaml } from "../../threads/read-yaml.ts";
import { sharedThreads } from "../../threads/thread-pool.ts";
import { type ApiRequest, mediaTypeOf, readBody } from "./request.ts";

const accepted = ["application/json", "application/yaml", protobufMediaType] as const;

export type { DecodedBody } from "@keelson/wire-formats";

/**
 * Decodes the body according to its media type. Returns undefined for an empty body.
 * @throws StatusError 400, 413, 415
 */
export async function decodeBody(request: ApiRequest): Promise<unknown> {
  return (await decodeStrictly(request)).value;
}

/**
 * Decodes the body like `decodeBody` and also returns the errors of strict decoding, for example duplicate fields.
 * @throws StatusError 400, 413, 415
 */
export async function decodeStrictly(request: ApiRequest): Promise<DecodedBody> {
  const body = await readBody(request);
  if (body.length === 0) return { value: undefined, strictErrors: [] };
  request.budget.spend(1, body.length);
  await sharedTurns.next(request.owner, request.budget);
  const mediaType = mediaTypeOf(request);
  if (mediaType === protobufMediaType) return { value: await readProtobuf(body, request), strictErrors: [] };
  const text = body.toString();
  switch (mediaType) {
    case "application/json":
      return await decodeJsonFairly(text, request);
    case "application/yaml":
    case "application/x-yaml":
    case "text/yaml":
      return readYaml(text, request.owner, request.budget);
    default:
      throw failures.unsupportedMediaType(accepted);
  }
}

/**
 * Maximum size in bytes of a protocol buffer body that is decoded inline. For small bodies, the transfer to a thread costs more
 * than decoding.
 */
const shortMessage = 65_536;

async function readProtobuf(body: Buffer, { owner, budget }: ApiRequest): Promise<unknown> {
  if (body.length <= shortMessage) return decodeProtobuf(body, budget);
  return sharedThreads.run(owner, protobufTask, body, budget);
}

/**
 * Decodes JSON and then finds duplicate fields. If the decoding takes long, other requests may run before the second step.
 * @throws StatusError 400
 */
export async function decodeJsonFairly(text: string, { owner, budget }: ApiRequest): Promise<DecodedBody> {
  const value = parseJson(text);
  await sharedTurns.next(owner, budget);
  const strictErrors = strictErrorsOf(text, value);
  await sharedTurns.next(owner, budget);
  return { value, strictErrors };
}

function strictErrorsOf(text: string, value: unknown): readonly string[] {
  return duplicateMembers(text, value).map(({ path }) => `duplicate field "${path}"`);
}
