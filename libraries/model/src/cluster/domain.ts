/** Domain of a cluster, with the prefix of its DNS records in the service's zone. */
export interface ClusterDomain {
  /** Fully qualified name, for example `demo.westeurope.example.org`. */
  readonly fullName: string;
  /** Prefix below the service's DNS zone. Undefined for a customer's domain. The service does not write DNS records for it. */
  readonly managedPrefix?: string;
}

/** Returns the domain of a cluster. The service manages domains without a dot and domains directly below `zone`. */
export function clusterDomain(domain: string, zone: string): ClusterDomain {
  const prefix = domain.endsWith(`.${zone}`) ? domain.slice(0, -zone.length - 1) : domain;
  if (prefix.includes(".")) return { fullName: domain };
  return { fullName: `${prefix}.${zone}`, managedPrefix: prefix };
}
