import { Readable } from "node:stream";
import type { CloudError } from "@keelson/arm";
import { indentation, renderJson } from "./render-json.ts";
import type { WebReply } from "./web-server.ts";

/** Response of a route. The web server serializes it. A response with only a status has no body. */
export interface Response {
  readonly status: number;
  /** Body that is serialized as JSON. */
  readonly body?: object | string;
  /** JSON that is already serialized, as a replacement for `body`. It ends with a newline. */
  readonly rendered?: Buffer;
  /** Text, as a replacement for `body`. Each chunk is sent when it arrives. */
  readonly text?: Pieces<string | Uint8Array>;
  /** Items of a JSON array, as a replacement for `body`. Each item is sent when it arrives. */
  readonly items?: Pieces<object>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Pieces<T> = Iterable<T> | AsyncIterable<T>;

export function sendResponse(
  reply: WebReply,
  { status, body, rendered, text, items, headers }: Response,
): WebReply {
  // Sets the content type here instead of during admission. Fastify would discard a value from the admission if the request
  // failed later.
  reply.code(status).header("content-type", text ? "text/plain" : "application/json");
  if (headers) reply.headers(headers);
  // An error between two chunks closes the connection, so that the caller does not mistake a partial response for a complete
  // response.
  if (text) return reply.send(Readable.from(text, { objectMode: false }));
  if (items) return reply.send(Readable.from(renderItems(items), { objectMode: false }));
  if (rendered !== undefined) return reply.send(rendered);
  if (body === undefined) return reply.send();
  // With `renderJson` as serializer, Fastify does not add a charset to the content type. Fastify does not call the serializer for
  // strings, so they are sent as a Buffer.
  if (typeof body === "string") return reply.send(Buffer.from(renderJson(body)));
  return reply.serializer(renderJson).send(body);
}

/** Value of `Retry-After` in seconds for temporary errors. */
const pauseSeconds = 10;

export function errorResponse(error: CloudError): Response {
  const body = { error: error.body };
  const passes = error.status === 503 || error.status === 429;
  const pause = passes ? { "retry-after": `${pauseSeconds}` } : {};
  return { status: error.status, body, headers: { ...pause, ...error.headers } };
}

/** Renders each item on a separate line, so that the caller can process each item when it arrives. */
async function* renderItems(items: Pieces<object>): AsyncGenerator<string> {
  let before = "[";
  for await (const item of items) {
    yield `${before}\n${JSON.stringify(item, null, indentation)}`;
    before = ",";
  }
  yield before === "[" ? "[]\n" : "\n]\n";
}
