import type { Clock } from "@keelson/base";
import type { ServiceConfig } from "@keelson/env";

/** Installation that `keelson doctor` examines. */
export interface Installation {
  readonly stateDirectory: string;
  /** True for a state directory of `keelson up`, rather than a configuration of production. */
  readonly embedded: boolean;
  readonly config: ServiceConfig;
  /** Process that runs from the state directory. */
  readonly holder: number | undefined;
  readonly clock: Clock;
  /** Free bytes below which a disk is about to be full. */
  readonly lowDiskBytes: number;
  readonly signal: AbortSignal;
}
