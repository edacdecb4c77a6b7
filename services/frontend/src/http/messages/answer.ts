import { Readable } from "node:stream";
import type { CloudError } from "@keelson/arm";
import { indentation, renderJson } from "./render-json.ts";
import type { WebReply } from "./web-server.ts";

/** Response of a route. The web server serializes it. A bare status has no body. */
export interface Answer {
  readonly status: number;
  /** Body as JSON. */
  readonly body?: object | string;
  /** Rendered JSON instead of a body, with the final newline. */
  readonly rendered?: Buffer;
  /** Text instead of a body. Chunks are sent as they arrive. */
  readonly text?: Pieces<string | Uint8Array>;
  /** Items of a JSON array instead of a body. They are sent as they arrive. */
  readonly items?: Pieces<object>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Pieces<T> = Iterable<T> | AsyncIterable<T>;

export function sendAnswer(
  reply: WebReply,
  { status, body, rendered, text, items, headers }: Answer,
): WebReply {
  // Set here instead of during admission, because Fastify discards a content type that was set before a
  // request failed.
  reply.code(status).header("content-type", text ? "text/plain" : "application/json");
  if (headers) reply.headers(headers);
  // An error between chunks closes the connection, so that the caller does not accept a partial response as
  // complete.
  if (text) return reply.send(Readable.from(text, { objectMode: false }));
  if (items) return reply.send(Readable.from(renderItems(items), { objectMode: false }));
  if (rendered !== undefined) return reply.send(rendered);
  if (body === undefined) return reply.send();
  // A separate serializer keeps Fastify from adding a charset to the content type. Strings bypass it.
  if (typeof body === "string") return reply.send(Buffer.from(renderJson(body)));
  return reply.serializer(renderJson).send(body);
}

/** `Retry-After` of errors that are temporary. */
const pauseSeconds = 10;

export function errorAnswer(error: CloudError): Answer {
  const body = { error: error.body };
  const passes = error.status === 503 || error.status === 429;
  const pause = passes ? { "retry-after": `${pauseSeconds}` } : {};
  return { status: error.status, body, headers: { ...pause, ...error.headers } };
}

/** Each item is on a separate line, so that a caller can process it as it arrives. */
async function* renderItems(items: Pieces<object>): AsyncGenerator<string> {
  let before = "[";
  for await (const item of items) {
    yield `${before}\n${JSON.stringify(item, null, indentation)}`;
    before = ",";
  }
  yield before === "[" ? "[]\n" : "\n]\n";
}
