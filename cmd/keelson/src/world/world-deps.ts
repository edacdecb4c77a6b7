import type { Clock, Logger } from "@keelson/base";
import type { InstanceState } from "./open-state.ts";

/** Dependencies of both halves of the simulated world. */
export interface WorldDeps extends InstanceState {
  readonly clock: Clock;
  readonly logger: Logger;
}
