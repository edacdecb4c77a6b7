import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { recordSetsOf } from "../network/dns-zones.ts";

/** Returns the IPv4 address of a cluster's API server. The argument is the cluster's domain. */
export type ClusterAddress = (domain: string) => string;

const zoneType = "Microsoft.Network/dnsZones";

/**
 * Index of zones by name, and of the existing names in each zone. Cached data is discarded when a zone or a record set changes.
 */
export class ZoneIndex {
  readonly #subscription: Subscription;
  #zones: ReadonlyMap<string, ResourceRecord> | undefined;
  readonly #names = new Map<string, ReadonlySet<string>>();

  /** Returns the address of a cluster's API server. Default: the A records of the zone. */
  readonly clusterAddress: ClusterAddress | undefined;

  constructor(subscription: Subscription, clusterAddress?: ClusterAddress) {
    this.#subscription = subscription;
    this.clusterAddress = clusterAddress;
    subscription.store.onChange<ResourceRecord>("resource", (before, after) => {
      const type = (after ?? before)?.type ?? "";
      if (type !== zoneType && !type.startsWith(`${zoneType}/`)) return;
      this.#zones = undefined;
      this.#names.clear();
    });
  }

  hasRegistry(name: string): boolean {
    return this.#subscription.resources
      .ofType("Microsoft.ContainerRegistry/registries")
      .some((registry) => registry.name.toLowerCase() === name);
  }

  /**
   * Returns the zone that contains a name. Undefined if no zone contains the name. If several zones contain it, the zone with the
   * longest name applies. Names are in lower case without a trailing dot.
   */
  zoneOf(name: string): ResourceRecord | undefined {
    this.#zones ??= new Map(
      this.#subscription.resources.ofType(zoneType).map((zone) => [zone.name.toLowerCase(), zone]),
    );
    const labels = name.split(".");
    for (let start = 0; start < labels.length; start++) {
      const zone = this.#zones.get(labels.slice(start).join("."));
      if (zone) return zone;
    }
    return undefined;
  }

  /** True if a zone has records at or below a name. `relative` is `@` for the zone itself. */
  exists(zone: ResourceRecord, relative: string): boolean {
    const known = this.#names.get(zone.id) ?? this.#namesIn(zone);
    this.#names.set(zone.id, known);
    return known.has(relative);
  }

  recordSet(zone: ResourceRecord, kind: string, relative: string): ResourceRecord | undefined {
    return this.#subscription.resources.find(`${zone.id}/${kind}/${relative}`);
  }

  #namesIn(zone: ResourceRecord): ReadonlySet<string> {
    const names = new Set(["@"]);
    for (const { name } of recordSetsOf(zone, this.#subscription)) {
      const labels = name.toLowerCase().split(".");
      for (let start = 0; start < labels.length; start++) names.add(labels.slice(start).join("."));
    }
    return names;
  }
}
