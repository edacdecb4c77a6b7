import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";

/** Headers that apply only to one connection and are therefore not forwarded. Source: RFC 9110 section 7.6.1. */
const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);
/**
 * Matches headers that must not be sent to the cluster. These headers authenticate the caller to the portal, or untrusted proxies
 * may have set them.
 */
const ofCaller = /^(authorization|cookie|host|forwarded|x-forwarded-.*|x-remote-.*|x-ms-.*)$/;
/** Matches headers about the framing of the body. They are not forwarded, because the forwarded request is framed separately. */
const ofBody = /^(content-length|expect)$/;

/** Returns the request headers for the API server. Headers with the caller's identity and the body's length are omitted. */
export function requestHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return without(headers, (name) => ofCaller.test(name) || ofBody.test(name));
}

/** Returns the headers of the cluster's response that are forwarded to the caller. */
export function responseHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return without(headers, (name) => name === "set-cookie");
}

function without(headers: IncomingHttpHeaders, isOut: (name: string) => boolean): OutgoingHttpHeaders {
  const named = new Set(
    `${headers.connection ?? ""}`
      .toLowerCase()
      .split(",")
      .map((name) => name.trim()),
  );
  const kept = Object.entries(headers).filter(
    ([name]) => !name.startsWith(":") && !ofConnection.has(name) && !named.has(name) && !isOut(name),
  );
  return Object.fromEntries(kept);
}
