import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { keepAliveTimeoutMs } from "../close-http-server.ts";

/** Asserts that a listener sends the shared HTTP/1.1 keep-alive timeout in its responses. */
export async function assertKeepAlive(url: string): Promise<void> {
  const isTls = url.startsWith("https:");
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  // The certificate is not verified, because these tests do not depend on it.
  const options = { agent, rejectUnauthorized: false };
  const request = isTls ? httpsRequest(url, options) : httpRequest(url, options);
  const [response] = await once(request.end(), "response");
  response.resume();
  agent.destroy();
  assert.equal(response.headers["keep-alive"], `timeout=${keepAliveTimeoutMs / 1_000}`);
}
