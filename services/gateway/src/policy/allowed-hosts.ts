/** Hosts of a single cluster: its own storage accounts. */
export interface ClusterHosts {
  readonly storageSuffix?: string;
  readonly imageRegistryStorageAccountName?: string;
}

export interface AllowedHostsOptions {
  /** Hosts for every cluster. `*.example.com` matches all hosts below that domain, at any depth. */
  readonly hosts: readonly string[];
  /** Suffix of the cloud's storage accounts, for example `core.windows.net`. */
  readonly storageSuffix: string;
}

export type Decision =
  | { readonly isAllowed: true }
  /** `reason` is logged. */
  | { readonly isAllowed: false; readonly reason: string };

const allowed: Decision = { isAllowed: true };

/** Hosts that clusters may reach. Complete names are compared, case-insensitively. */
export class AllowedHosts {
  readonly #names = new Set<string>();
  /** Domains with their leading dot. */
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
