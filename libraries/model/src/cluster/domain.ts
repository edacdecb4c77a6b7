/** Domain of a cluster, with the prefix of its DNS records in the service's zone. */
export interface ClusterDomain {
  /** Fully qualified name, for example `demo.westeurope.example.org`. */
  readonly fullName: string;
  /**
   * Prefix of the cluster's DNS records below the service's zone. Undefined for a customer's domain, for which the service writes
   * no DNS records.
   */
  readonly managedPrefix?: string;
}

/** Returns the domain of a cluster. The service manages domains without a dot and domains directly below `zone`. */
export function clusterDomain(domain: string, zone: string): ClusterDomain {
  const prefix = domain.endsWith(`.${zone}`) ? domain.slice(0, -zone.length - 1) : domain;
  if (prefix.includes(".")) return { fullName: domain };
  return { fullName: `${prefix}.${zone}`, managedPrefix: prefix };
}
