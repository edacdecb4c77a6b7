import { readFileSync } from "node:fs";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { messageOf } from "@keelson/base";
import { type Ask, askDirectly } from "./ask-directly.ts";
import type { ProxySettings } from "./proxy-settings.ts";

export type Attempt = (url: string, proxy: ProxySettings, signal: AbortSignal) => Promise<string | undefined>;

/**
 * Returns a function that sends a HEAD request to a URL over a new connection. The function returns the cause of a failure. It
 * returns `undefined` after any response, including 4xx and 5xx. `caFile` (PEM) is trusted in addition to the public CAs.
 */
export function httpAttempt(caFile: string | undefined): Attempt {
  return async (url, proxy, signal) => {
    try {
      const context = caFile === undefined ? undefined : contextOf(caFile);
      await (await askerOf(proxy))(url, context, signal);
      return undefined;
    } catch (error) {
      return reasonOf(error);
    }
  };
}

/**
 * Returns the direct client or the proxy client. The proxy client is loaded only on demand, because few clusters have a proxy.
 */
async function askerOf(proxy: ProxySettings): Promise<Ask> {
  if (!proxy.httpProxy && !proxy.httpsProxy) return askDirectly;
  const { askByProxy } = await import("./ask-by-proxy.ts");
  return askByProxy(proxy);
}

let trusted: { readonly pem: string; readonly context: SecureContext } | undefined;

/**
 * Returns the TLS context for a CA file. Contexts are cached by file content, because each context contains the public CAs and
 * uses megabytes.
 */
function contextOf(caFile: string): SecureContext {
  const pem = readFileSync(caFile, "utf8");
  if (trusted?.pem !== pem)
    trusted = { pem, context: createSecureContext({ ca: [...rootCertificates, pem] }) };
  return trusted.context;
}

/** Returns the step that failed: name resolution, connection, TLS or time limit. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = messageOf(error);
  if (error instanceof DOMException && error.name === "TimeoutError") return "timed out";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `name resolution failed: ${message}`;
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO/.test(code)) return `TLS failed: ${message}`;
  return message;
}
