import type { Clock, KeyPair, Logger, Secret } from "@keelson/base";
import type { World, WorldFacts } from "./world/world.ts";

export interface ConsoleOptions {
  /** Listen address. It must be a loopback address because clients control the simulation. */
  readonly host: "127.0.0.1" | "::1";
  /** Listen port. 0 selects a free port. */
  readonly port: number;
  readonly tls: KeyPair;
  /** Bearer token that authorizes the creation of one-time links. */
  readonly controlToken: Secret;
  readonly facts: WorldFacts;
  /** Connects to the simulation. Called by the first request that needs the connection. */
  readonly connect: () => Promise<World>;
  /** Directory of the built pages. Default: the directory in this package. */
  readonly pages?: string;
  readonly clock: Clock;
  readonly logger: Logger;
}
