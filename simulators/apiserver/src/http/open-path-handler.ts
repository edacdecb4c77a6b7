import { exactJson } from "@keelson/base";
import type { OpenPath } from "../cluster/open-path.ts";
import { type ApiRequest, readBody } from "./messages/request.ts";

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
