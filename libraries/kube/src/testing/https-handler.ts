import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import { createKubeconfig } from "../kubeconfig/create-kubeconfig.ts";

/** Starts an HTTPS server for a test. It can send responses that a healthy API server never sends. */
export async function startHandler(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<AsyncDisposable & { readonly kubeconfig: string }> {
  const authority = await createCertificateAuthority("test", 1);
  const { certificatePem: cert, privateKeyPem: key } = await serverCertificate(authority);
  const server = createServer({ cert, key }, handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    kubeconfig: await kubeconfigFor(authority, `https://127.0.0.1:${portOf(server)}`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Authority = Awaited<ReturnType<typeof createCertificateAuthority>>;

export function serverCertificate(authority: Authority) {
  return issueCertificate(authority, {
    commonName: "server",
    dnsNames: ["localhost", "api-int.cluster.test"],
    ipAddresses: ["127.0.0.1"],
    usage: "server",
    validDays: 1,
  });
}

export async function kubeconfigFor(authority: Authority, server: string): Promise<string> {
  const client = await issueCertificate(authority, {
    commonName: "system:admin",
    organizations: ["system:masters"],
    usage: "client",
    validDays: 1,
  });
  return createKubeconfig({
    server,
    caPem: authority.certificatePem,
    clientCertificatePem: client.certificatePem,
    clientKeyPem: client.privateKeyPem,
    clusterName: "test",
    userName: "admin",
  });
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the test server does not listen");
  return address.port;
}
