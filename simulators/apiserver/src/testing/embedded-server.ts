import {
  type CertificateRequest,
  createCertificateAuthority,
  issueCertificate,
  silentLogger,
  systemClock,
} from "@keelson/base";
import type { Kubelet } from "../cluster/kubelet.ts";
import { startApiServer } from "../start-api-server.ts";
import type { ControlPlane } from "./control-plane.ts";

/** Starts Keelson's API server with one cluster, in memory or in a file. With a kubelet, pods have a grace period. */
export async function startEmbedded(file?: string, kubelet?: Kubelet): Promise<ControlPlane> {
  const authority = await createCertificateAuthority("embedded", 2);
  const user = (wanted: Partial<CertificateRequest> & { readonly commonName: string }) =>
    issueCertificate(authority, { usage: "client", validDays: 1, ...wanted });
  const tls = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    ipAddresses: ["127.0.0.1"],
    usage: "server",
    validDays: 1,
  });
  const server = await startApiServer({
    host: "127.0.0.1",
    port: 0,
    tls,
    storage: file === undefined ? { kind: "memory" } : { kind: "file", path: file },
    logger: silentLogger,
    clock: systemClock,
  });
  const cluster = await server.createCluster({
    name: "embedded",
    clientCertificateAuthorities: [authority.certificatePem],
  });
  cluster.setKubelet(kubelet);
  return {
    url: cluster.url,
    authority,
    admin: await user({ commonName: "system:admin", organizations: ["system:masters"] }),
    user,
    [Symbol.asyncDispose]: async () => server[Symbol.asyncDispose](),
  };
}
