import type { AzureEnvironment } from "./environment.ts";

interface TlsOptions {
  readonly ca: string;
}

/** Options by CA bundle. A process has one environment, or few. */
const shared = new Map<string, TlsOptions>();
const maxShared = 16;

/**
 * Returns the TLS settings of clients. The SDKs create an agent with its connections for each settings
 * object. Clients of one environment therefore share the object and its connections.
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
