import type { AzureEnvironment } from "./environment.ts";

interface TlsOptions {
  readonly ca: string;
}

/** By authorities: processes have those of one environment, or of few. */
const shared = new Map<string, TlsOptions>();
const maxShared = 16;

/**
 * The TLS settings of clients. The SDKs keep an agent, with its connections, for each object of settings: clients of one
 * environment have the same object, and so the same connections, however many are made.
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
