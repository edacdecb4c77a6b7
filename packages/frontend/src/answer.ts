import type { CloudError } from "@keelson/arm";
import type { WebReply } from "./web-server.ts";

/** What a route answers; the edge turns it into bytes. A bare status has no body. */
export interface Answer {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export function sendAnswer(reply: WebReply, { status, body, headers }: Answer): WebReply {
  // Here and not on admission: the framework forgets a content type set before a request failed.
  reply.code(status).header("content-type", "application/json");
  if (headers) reply.headers(headers);
  if (body === undefined) return reply.send();
  // A serializer of its own keeps the framework from adding a charset to the content type.
  return reply.serializer(renderJson).send(body);
}

export function errorAnswer(error: CloudError): Answer {
  return { status: error.status, body: { error: error.body } };
}

function renderJson(body: object): string {
  return `${JSON.stringify(body, null, 4)}\n`;
}
