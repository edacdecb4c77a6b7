/** A cluster's domain, and the prefix of its records in the service's own zone. */
export interface ClusterDomain {
  /** For example `demo.westeurope.example.org`. */
  readonly fullName: string;
  /** The part before the service's zone; absent when the domain is the customer's own and we write no DNS. */
  readonly managedPrefix?: string;
}

/** A domain without a dot, or directly below the service's `zone`, is managed by the service. */
export function clusterDomain(domain: string, zone: string): ClusterDomain {
  const prefix = domain.endsWith(`.${zone}`) ? domain.slice(0, -zone.length - 1) : domain;
  if (prefix.includes(".")) return { fullName: domain };
  return { fullName: `${prefix}.${zone}`, managedPrefix: prefix };
}
