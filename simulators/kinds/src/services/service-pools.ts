import { randomInt } from "node:crypto";
import { type KubeObject, numberOrZeroAt } from "@keelson/apimachinery";
import { objectAt, stringsAt } from "@keelson/base";
import type { Holdings } from "../kinds/holdings.ts";
import { mayHaveNodePorts, needsHealthCheckPort, nodePortsOf } from "./service-needs.ts";
import {
  addressAt,
  addressCount,
  askedAddresses,
  askedNodePorts,
  firstNodePort,
  isServiceAddress,
  nodePortCount,
} from "./service-network.ts";

/** Returns the addresses and node ports that only one Service may have. A node port belongs to one Service for all protocols. */
export function holdingsOfService(service: KubeObject): readonly string[] {
  const spec = objectAt(service, "spec");
  if (spec.type === "ExternalName") return [];
  const addresses = stringsAt(spec, "clusterIPs").filter((each) => each !== "None");
  const ports = mayHaveNodePorts(spec) ? nodePortsOf(spec) : [];
  const health = needsHealthCheckPort(spec) ? numberOrZeroAt(spec, "healthCheckNodePort") : 0;
  return [...new Set([...addresses, ...[...ports, health].filter((port) => port > 0).map(portHolding)])];
}

/** Allocates free addresses and ports for one Service. An allocation is complete when the Service is stored. */
export class ServicePools {
  readonly #held: Holdings;
  readonly #taken = new Set<string>();

  constructor(held: Holdings) {
    this.#held = held;
  }

  /** Allocates a specific address. Returns an error if the address is not available. */
  takeAddress(address: string): string | undefined {
    if (!isServiceAddress(address)) return "the provided network does not match the current range";
    return this.#take(address) ? undefined : "provided IP is already allocated";
  }

  /** Allocates any free address. Returns undefined if the range is exhausted. */
  nextAddress(): string | undefined {
    const place = freePlace(addressCount, askedAddresses, (each) => this.#take(addressAt(each)));
    return place === undefined ? undefined : addressAt(place);
  }

  /** Allocates a specific port. Returns an error if the port is not available. */
  takePort(port: number): string | undefined {
    const last = firstNodePort + nodePortCount - 1;
    if (port < firstNodePort || port > last)
      return `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${last}`;
    return this.#take(portHolding(port)) ? undefined : "provided port is already allocated";
  }

  nextPort(): number | undefined {
    const place = freePlace(nodePortCount, askedNodePorts, (each) =>
      this.#take(portHolding(firstNodePort + each)),
    );
    return place === undefined ? undefined : firstNodePort + place;
  }

  #take(held: string): boolean {
    if (this.#held.has(held) || this.#taken.has(held)) return false;
    this.#taken.add(held);
    return true;
  }
}

function portHolding(port: number): string {
  return `port ${port}`;
}

/**
 * Returns the first index that `take` accepts, starting at a random index. The first `last` indexes are tried after all others.
 */
export function freePlace(count: number, last: number, take: (place: number) => boolean): number | undefined {
  for (const [from, size] of [
    [last, count - last],
    [0, last],
  ] as const) {
    const start = randomInt(size);
    for (let step = 0; step < size; step++) {
      const place = from + ((start + step) % size);
      if (take(place)) return place;
    }
  }
  return undefined;
}
