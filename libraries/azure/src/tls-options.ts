import type { AzureEnvironment } from "./environment.ts";

export interface TlsOptions {
  readonly ca: string;
}

/** TLS options by CA bundle. A process uses only a few CA bundles. */
const shared = new Map<string, TlsOptions>();
const maxShared = 16;

/**
 * Returns the TLS settings of clients. The SDKs create one agent, with separate connections, for each settings object. Clients of
 * one environment share one settings object, so they also share connections.
 */
export function tlsOptionsOf({ caPem }: Pick<AzureEnvironment, "caPem">): {
  readonly tlsOptions?: TlsOptions;
} {
  if (!caPem) return {};
  const tlsOptions = shared.get(caPem) ?? { ca: caPem };
  shared.set(caPem, tlsOptions);
  const [oldest] = shared.keys();
  if (shared.size > maxShared && oldest !== undefined) shared.delete(oldest);
  return { tlsOptions };
}
