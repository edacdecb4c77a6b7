import { X509Certificate } from "node:crypto";
import { createServer } from "node:https";
import { createCertificateAuthority, issueCertificate, type KeyPair } from "@keelson/base";
import type { AuthorizationRequest } from "../callers/authorization-request.ts";

/** Returns an authorization request with these certificates and headers. */
export function requestWith(
  certificates: readonly KeyPair[],
  headers: Readonly<Record<string, string>> = {},
  peerVerified = false,
): AuthorizationRequest {
  return {
    path: "/subscriptions/x",
    apiVersion: "2025-07-25",
    peerCertificates: certificates.map(({ certificatePem }) => new X509Certificate(certificatePem).raw),
    peerVerified,
    header: (name) => headers[name],
  };
}

export interface JsonServer extends AsyncDisposable {
  readonly url: string;
  readonly caPem: string;
  /** Sets the response to all later requests. */
  respondWith(status: number, body: string, contentType?: string): void;
  /** Number of received requests. */
  readonly requests: number;
}

/** Starts an HTTPS server that returns one document for every GET. */
export async function startJsonServer(): Promise<JsonServer> {
  const authority = await createCertificateAuthority("publisher", 1);
  const { certificatePem: cert, privateKeyPem: key } = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  });
  let current = { status: 200, body: "{}", contentType: "application/json; charset=utf-8" };
  let requests = 0;
  const server = createServer({ cert, key }, (_, response) => {
    requests++;
    response.writeHead(current.status, { "content-type": current.contentType }).end(current.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `https://localhost:${port}/document`,
    caPem: authority.certificatePem,
    respondWith(status, body, contentType = "application/json") {
      current = { status, body, contentType };
    },
    get requests() {
      return requests;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
