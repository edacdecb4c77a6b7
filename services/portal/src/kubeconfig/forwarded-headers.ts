import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";

/** Headers of the connection, not of the message. Source: RFC 9110 section 7.6.1. */
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
 * Headers that identify the caller to the portal are not for the cluster. Forwarding headers of other proxies
 * are not trusted.
 */
const ofCaller = /^(authorization|cookie|host|forwarded|x-forwarded-.*|x-remote-.*|x-ms-.*)$/;
/** The request determines the framing of the body. */
const ofBody = /^(content-length|expect)$/;

/** Returns the request headers for the API server, except those of the identity and of the body's length. */
export function requestHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return without(headers, (name) => ofCaller.test(name) || ofBody.test(name));
}

/** Returns the response headers for the caller. */
export function answerHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
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
