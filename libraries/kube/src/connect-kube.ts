import { Transport } from "./connections/transport.ts";
import { HttpKubeClient } from "./http-kube-client.ts";
import type { KubeClient, KubeClientOptions } from "./kube-client.ts";
import { type KubeAccess, readKubeconfig } from "./kubeconfig/read-kubeconfig.ts";
import { type ServiceAccountFiles, serviceAccountAccess } from "./kubeconfig/service-account-access.ts";

export interface KubeOptions extends KubeClientOptions {
  /** Kubeconfig as YAML. Its current context is used. */
  readonly kubeconfig: string;
}

/**
 * Returns a client of the kubeconfig's cluster. The first request opens the first connection. Disposal closes all connections.
 * @throws KubeError InvalidKubeconfig
 */
export function connectKube({ kubeconfig, ...options }: KubeOptions): KubeClient {
  return connect(readKubeconfig(kubeconfig), options);
}

/** Default of `timeoutMs`. */
export const defaultTimeoutMs = 30_000;

/** Connects as the service account of the program's pod. @throws KubeError InvalidServiceAccount */
export async function connectInCluster(
  files: ServiceAccountFiles,
  options: KubeClientOptions,
): Promise<KubeClient> {
  return connect(await serviceAccountAccess(files), options);
}

function connect(access: KubeAccess, options: KubeClientOptions): KubeClient {
  const transport = new Transport({
    access,
    userAgent: options.userAgent,
    internalAddress: options.internalAddress,
    connections: options.connections,
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    beforeRequest: options.beforeRequest ?? (() => {}),
  });
  return new HttpKubeClient(transport, options);
}
