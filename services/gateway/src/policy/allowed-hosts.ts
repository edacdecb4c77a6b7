/** Hosts that only one cluster may reach: the cluster's own storage accounts. */
export interface ClusterHosts {
  readonly storageSuffix?: string;
  readonly imageRegistryStorageAccountName?: string;
}

export interface AllowedHostsOptions {
  /** Hosts that every cluster may reach. `*.example.com` matches all subdomains of that domain at any depth. */
  readonly hosts: readonly string[];
  /** DNS suffix of the cloud's storage accounts, for example `core.windows.net`. */
  readonly storageSuffix: string;
}

export type Decision =
  | { readonly isAllowed: true }
  /** Denied host, with a reason that is logged. */
  | { readonly isAllowed: false; readonly reason: string };

const allowed: Decision = { isAllowed: true };

/** Allow-list of hosts for clusters. Names are compared completely and case-insensitively. */
export class AllowedHosts {
  readonly #names = new Set<string>();
  /** Allowed domains, each with a leading dot. */
  readonly #domains: string[] = [];
  readonly #storageSuffix: string;

  constructor({ hosts, storageSuffix }: AllowedHostsOptions) {
    this.#storageSuffix = storageSuffix;
    for (const host of hosts.map((each) => each.toLowerCase()))
      if (host.startsWith("*.")) this.#domains.push(host.slice(1));
      else this.#names.add(host);
  }

  decide(host: string, cluster: ClusterHosts): Decision {
    const name = host.toLowerCase();
    if (this.#names.has(name) || this.#domains.some((domain) => isBelow(name, domain))) return allowed;
    if (this.#ofCluster(cluster).includes(name)) return allowed;
    return { isAllowed: false, reason: "the host is neither among those of all clusters nor of this one" };
  }

  #ofCluster({ storageSuffix, imageRegistryStorageAccountName }: ClusterHosts): readonly string[] {
    const accounts = [
      ...(imageRegistryStorageAccountName ? [imageRegistryStorageAccountName] : []),
      ...(storageSuffix ? [`cluster${storageSuffix}`] : []),
    ];
    return accounts.map((account) => `${account}.blob.${this.#storageSuffix}`.toLowerCase());
  }
}

function isBelow(name: string, domain: string): boolean {
  return name.length > domain.length && name.endsWith(domain);
}
