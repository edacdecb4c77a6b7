import { type LogicalCluster, startApiServer } from "@keelson/apiserver";
import { createCertificateAuthority, silentLogger, systemClock } from "@keelson/base";
import { connectKube, type KubeOptions } from "../connect-kube.ts";
import type { KubeClient } from "../kube-client.ts";
import { kubeconfigFor, serverCertificate } from "./https-handler.ts";

export { serverCertificate, startHandler } from "./https-handler.ts";

/** Starts this repository's API server with one cluster for tests. Returns the administrator's kubeconfig. */
export async function startCluster(): Promise<
  AsyncDisposable & { readonly kubeconfig: string; readonly logical: LogicalCluster }
> {
  const authority = await createCertificateAuthority("test", 1);
  const server = await startApiServer({
    host: "127.0.0.1",
    port: 0,
    tls: await serverCertificate(authority),
    storage: { kind: "memory" },
    logger: silentLogger,
    clock: systemClock,
    rootCluster: "test",
  });
  const cluster = await server.createCluster({
    name: "test",
    clientCertificateAuthorities: [authority.certificatePem],
  });
  return {
    kubeconfig: await kubeconfigFor(authority, cluster.url),
    logical: cluster,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export function connect(kubeconfig: string, options: Partial<KubeOptions> = {}): KubeClient {
  return connectKube({ kubeconfig, userAgent: "test/1", fieldManager: "test", ...options });
}
