/** Domain of a cluster, and the prefix of its records in the service's DNS zone. */
export interface ClusterDomain {
  /** Full name, for example `demo.westeurope.example.org`. */
  readonly fullName: string;
  /**
   * Prefix below the service's zone. Undefined for a customer's domain, for which the service writes no DNS
   * records.
   */
  readonly managedPrefix?: string;
}

/** A domain without a dot, or directly below the service's `zone`, is managed by the service. */
export function clusterDomain(domain: string, zone: string): ClusterDomain {
  const prefix = domain.endsWith(`.${zone}`) ? domain.slice(0, -zone.length - 1) : domain;
  if (prefix.includes(".")) return { fullName: domain };
  return { fullName: `${prefix}.${zone}`, managedPrefix: prefix };
}
