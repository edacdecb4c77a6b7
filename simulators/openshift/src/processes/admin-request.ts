import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { errors } from "../base/errors.ts";
import type { AdminEndpoint } from "./cluster-share.ts";

const maxBytes = 16 * 1_024 * 1_024;

/**
 * Sends a GET request to the administration server of a different process. Returns the parsed body, or undefined after status
 * 404.
 * @throws ClustersUnavailable
 */
export async function getFromAdmin(
  { url, caPem, token }: AdminEndpoint,
  path: string,
  signal: AbortSignal,
): Promise<unknown> {
  const outgoing = request(new URL(path, url), {
    ca: caPem,
    headers: { authorization: `Bearer ${token.reveal()}` },
    agent: false,
    signal,
  });
  outgoing.end();
  const [response] = (await once(outgoing, "response", { signal })) as [IncomingMessage];
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > maxBytes) throw errors.ClustersUnavailable(`${url}${path}: the response is too large`);
    chunks.push(chunk);
  }
  if (response.statusCode === 404) return undefined;
  if (response.statusCode !== 200)
    throw errors.ClustersUnavailable(`${url}${path}: status ${response.statusCode}`);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}
