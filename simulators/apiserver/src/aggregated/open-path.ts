import type { IncomingHttpHeaders } from "node:http";
import { exactJson } from "@keelson/base";
import { type ApiRequest, readBody } from "../http/request.ts";

/** A request for a path that is no part of the API. */
export interface OpenRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Empty when there is none. */
  readonly body: string;
}

export interface OpenAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; nothing when absent. */
  readonly body?: object;
}

/** Answers requests of anybody: it asks for credentials itself, if it wants any. It throws StatusErrors. */
export type OpenPath = (request: OpenRequest) => Promise<OpenAnswer>;

export async function handleOpenPath(request: ApiRequest, answer: OpenPath): Promise<void> {
  const { method, query, incoming, response } = request;
  const body = (await readBody(request)).toString();
  const {
    status,
    headers = {},
    body: sent,
  } = await answer({ method, query, headers: incoming.headers, body });
  const text = sent === undefined ? "" : exactJson(sent);
  response.writeHead(status, {
    "cache-control": "no-store",
    "content-length": Buffer.byteLength(text),
    ...(sent === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  });
  response.end(text);
}
