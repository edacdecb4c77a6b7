import { Readable } from "node:stream";
import type { CloudError } from "@keelson/arm";
import { indentation, renderJson } from "./render-json.ts";
import type { WebReply } from "./web-server.ts";

/** Response of a route. The web server serializes it. A response with only a status has no body. */
export interface Response {
  readonly status: number;
  /** Body that is sent as JSON. */
  readonly body?: object | string;
  /** Rendered JSON that replaces the body. It ends with a newline. */
  readonly rendered?: Buffer;
  /** Text that replaces the body. Chunks are sent when they arrive. */
  readonly text?: Pieces<string | Uint8Array>;
  /** Items of a JSON array that replaces the body. They are sent when they arrive. */
  readonly items?: Pieces<object>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Pieces<T> = Iterable<T> | AsyncIterable<T>;

export function sendResponse(
  reply: WebReply,
  { status, body, rendered, text, items, headers }: Response,
): WebReply {
  // The content type is set here and not during admission. Fastify discards it if it is set before a request fails.
  reply.code(status).header("content-type", text ? "text/plain" : "application/json");
  if (headers) reply.headers(headers);
  // An error between chunks closes the connection. The caller then does not mistake a partial response for a complete one.
  if (text) return reply.send(Readable.from(text, { objectMode: false }));
  if (items) return reply.send(Readable.from(renderItems(items), { objectMode: false }));
  if (rendered !== undefined) return reply.send(rendered);
  if (body === undefined) return reply.send();
  // `renderJson` as serializer prevents Fastify from adding a charset to the content type. Strings bypass the serializer and are
  // therefore sent as a Buffer.
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

/** Renders each item on a separate line. The caller can then process items when they arrive. */
async function* renderItems(items: Pieces<object>): AsyncGenerator<string> {
  let before = "[";
  for await (const item of items) {
    yield `${before}\n${JSON.stringify(item, null, indentation)}`;
    before = ",";
  }
  yield before === "[" ? "[]\n" : "\n]\n";
}
