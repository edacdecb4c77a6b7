import { readFileSync } from "node:fs";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { messageOf } from "@keelson/base";
import { type Ask, askDirectly } from "./ask-directly.ts";
import type { ProxySettings } from "./proxy-settings.ts";

export type Attempt = (url: string, proxy: ProxySettings, signal: AbortSignal) => Promise<string | undefined>;

/**
 * Asks for the head of a URL over a connection of its own; gives why it cannot be reached, `undefined` when anything
 * answers: also 4xx and 5xx come from there. `caFile` (PEM) is trusted besides the public authorities.
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

/** Few clusters have a proxy: what knows how to use one is loaded for them. */
async function askerOf(proxy: ProxySettings): Promise<Ask> {
  if (!proxy.httpProxy && !proxy.httpsProxy) return askDirectly;
  const { askByProxy } = await import("./ask-by-proxy.ts");
  return askByProxy(proxy);
}

let trusted: { readonly pem: string; readonly context: SecureContext } | undefined;

/** Made once for what the file says: the public authorities take OpenSSL megabytes each time. */
function contextOf(caFile: string): SecureContext {
  const pem = readFileSync(caFile, "utf8");
  if (trusted?.pem !== pem)
    trusted = { pem, context: createSecureContext({ ca: [...rootCertificates, pem] }) };
  return trusted.context;
}

/** In words that say where it failed: the name, the connection, the certificate, the time. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = messageOf(error);
  if (error instanceof DOMException && error.name === "TimeoutError") return "timed out";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `name resolution failed: ${message}`;
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO/.test(code)) return `TLS failed: ${message}`;
  return message;
}
