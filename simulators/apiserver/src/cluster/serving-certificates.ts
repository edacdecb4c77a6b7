import { createSecureContext, type SecureContext } from "node:tls";
import type { KeyPair } from "@keelson/base";

/** Serving certificate of a cluster's API server for additional host names. */
export interface ServingCertificate {
  /** Host names. `*.` at the start matches one label. */
  readonly names: readonly string[];
  /** Loads the key pair at the first handshake. In the PEM, intermediate certificates follow the serving certificate. */
  readonly certificate: () => Promise<KeyPair>;
}

interface ServedName {
  readonly cluster: string;
  readonly context: () => Promise<SecureContext>;
}

/**
 * Host names of the clusters behind one listener, and the certificate for each host name. The host name in a TLS handshake
 * selects the certificate and the cluster.
 */
export class ServingCertificates {
  /** Certificates by cluster and source. */
  readonly #tables = new Map<string, Map<string, readonly ServingCertificate[]>>();
  /** Served names by cluster. */
  readonly #names = new Map<string, Map<string, ServedName>>();
  /** Clusters that claim each host name. The first cluster in a list serves the host name. */
  readonly #owners = new Map<string, readonly string[]>();

  /** Replaces the certificates of one source. Certificates of sources that were added later take precedence. */
  set(cluster: string, source: string, certificates: readonly ServingCertificate[]): void {
    const table = this.#tables.get(cluster) ?? new Map<string, readonly ServingCertificate[]>();
    this.#tables.set(cluster, table.set(source, certificates));
    this.#replaceNames(cluster, [...table.values()].flat());
  }

  remove(cluster: string): void {
    this.#tables.delete(cluster);
    this.#replaceNames(cluster, []);
  }

  /**
   * Returns the cluster and certificate of a host name. Undefined for an unknown name, for which the default certificate is used.
   */
  find(name: string): ServedName | undefined {
    const host = name.toLowerCase();
    return this.#findExact(host) ?? this.#findExact(host.replace(/^[^.]+/, "*"));
  }

  #findExact(name: string): ServedName | undefined {
    const [cluster = ""] = this.#owners.get(name) ?? [];
    return this.#names.get(cluster)?.get(name);
  }

  #replaceNames(cluster: string, certificates: readonly ServingCertificate[]): void {
    const names = new Map<string, ServedName>();
    for (const { names: served, certificate } of certificates) {
      const context = onceSuccessful(async () => contextOf(await certificate()));
      for (const name of served) names.set(name.toLowerCase(), { cluster, context });
    }
    for (const name of new Set([...(this.#names.get(cluster)?.keys() ?? []), ...names.keys()])) {
      const others = (this.#owners.get(name) ?? []).filter((each) => each !== cluster || names.has(name));
      const owners = names.has(name) && !others.includes(cluster) ? [...others, cluster] : others;
      if (owners.length > 0) this.#owners.set(name, owners);
      else this.#owners.delete(name);
    }
    if (names.size > 0) this.#names.set(cluster, names);
    else this.#names.delete(cluster);
  }
}

/** Returns a function that caches the result of the first successful call. */
function onceSuccessful<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

function contextOf({ certificatePem, privateKeyPem }: KeyPair): SecureContext {
  return createSecureContext({ cert: certificatePem, key: privateKeyPem, minVersion: "TLSv1.2" });
}
