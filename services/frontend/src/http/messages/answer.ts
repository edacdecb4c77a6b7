import { Readable } from "node:stream";
import type { CloudError } from "@keelson/arm";
import { indentation, renderJson } from "./render-json.ts";
import type { WebReply } from "./web-server.ts";

/** What a route answers; the edge turns it into bytes. A bare status has no body. */
export interface Answer {
  readonly status: number;
  /** JSON. */
  readonly body?: object | string;
  /** JSON text in place of the body, rendered already, with the line's end. */
  readonly rendered?: Buffer;
  /** Plain text in place of the body, sent piece by piece as it comes. */
  readonly text?: Pieces<string | Uint8Array>;
  /** A JSON array in place of the body, sent member by member as they come. */
  readonly items?: Pieces<object>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Pieces<T> = Iterable<T> | AsyncIterable<T>;

export function sendAnswer(
  reply: WebReply,
  { status, body, rendered, text, items, headers }: Answer,
): WebReply {
  // Here and not on admission: the framework forgets a content type set before a request failed.
  reply.code(status).header("content-type", text ? "text/plain" : "application/json");
  if (headers) reply.headers(headers);
  // An error among the pieces breaks the connection off: the caller must not take a part for the whole.
  if (text) return reply.send(Readable.from(text, { objectMode: false }));
  if (items) return reply.send(Readable.from(renderItems(items), { objectMode: false }));
  if (rendered !== undefined) return reply.send(rendered);
  if (body === undefined) return reply.send();
  // A serializer of its own keeps the framework from adding a charset to the content type; texts skip it.
  if (typeof body === "string") return reply.send(Buffer.from(renderJson(body)));
  return reply.serializer(renderJson).send(body);
}

/** How long callers should wait where something else had no time for them. */
const pauseSeconds = 10;

export function errorAnswer(error: CloudError): Answer {
  const body = { error: error.body };
  const passes = error.status === 503 || error.status === 429;
  const pause = passes ? { "retry-after": `${pauseSeconds}` } : {};
  return { status: error.status, body, headers: { ...pause, ...error.headers } };
}

/** Members are on lines of their own, so that a caller sees each when it is there. */
async function* renderItems(items: Pieces<object>): AsyncGenerator<string> {
  let before = "[";
  for await (const item of items) {
    yield `${before}\n${JSON.stringify(item, null, indentation)}`;
    before = ",";
  }
  yield before === "[" ? "[]\n" : "\n]\n";
}
