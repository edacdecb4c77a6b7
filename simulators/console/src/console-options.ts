import type { Clock, KeyPair, Logger, Secret } from "@keelson/base";
import type { World, WorldFacts } from "./world/world.ts";

export interface ConsoleOptions {
  /** A loopback address: callers control the simulated world. */
  readonly host: "127.0.0.1" | "::1";
  /** 0 chooses a free port. */
  readonly port: number;
  readonly tls: KeyPair;
  /** Bearer token with which the program creates one-time links. */
  readonly controlToken: Secret;
  readonly facts: WorldFacts;
  /** Called with the first request that needs the world. */
  readonly connect: () => Promise<World>;
  /** Directory of the built pages. Default: that of this package. */
  readonly pages?: string;
  readonly clock: Clock;
  readonly logger: Logger;
}
