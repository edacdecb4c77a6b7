import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";

/** Of one connection, not of the message. Source: RFC 9110 section 7.6.1. */
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
/** Who the caller is to the portal is nothing to the cluster, and nobody speaks for another proxy here. */
const ofCaller = /^(authorization|cookie|host|forwarded|x-forwarded-.*|x-remote-.*|x-ms-.*)$/;
/** Where a body ends, and whether it is waited for, follows from the request. */
const ofBody = /^(content-length|expect)$/;

/** What of a request's headers goes to the API server, besides those of who asks and of the body's length. */
export function requestHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return without(headers, (name) => ofCaller.test(name) || ofBody.test(name));
}

/** What of an answer's headers goes to the caller. */
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
