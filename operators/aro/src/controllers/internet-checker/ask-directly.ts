import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { SecureContext } from "node:tls";

/**
 * Sends a HEAD request and follows redirects.
 * @throws if no server responds
 */
export type Ask = (url: string, context: SecureContext | undefined, signal: AbortSignal) => Promise<void>;

const maxRedirections = 10;
const redirections: ReadonlySet<number> = new Set([300, 301, 302, 303, 307, 308]);

/**
 * Sends a request directly, for clusters without a proxy. To save memory, it uses only modules that Node.js has already loaded.
 */
export const askDirectly: Ask = async (url, context, signal) => {
  let target = new URL(url);
  for (let count = 0; count <= maxRedirections; count++) {
    const { statusCode = 0, headers } = await headOf(target, context, signal);
    if (!redirections.has(statusCode) || headers.location === undefined) return;
    target = new URL(headers.location, target);
  }
};

/** Sends one HEAD request over a new connection. */
async function headOf(
  url: URL,
  secureContext: SecureContext | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const options = { method: "HEAD", agent: false, signal } as const;
  const request =
    url.protocol === "https:"
      ? httpsRequest(url, { ...options, ...(secureContext ? { secureContext } : {}) })
      : httpRequest(url, options);
  try {
    const [response] = await once(request.end(), "response");
    return response;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    request.on("error", () => undefined).destroy();
  }
}
