import type { Clock, Logger } from "@keelson/base";
import type { InstanceState } from "./open-state.ts";

/** Dependencies of both simulators: Azure and the clusters. */
export interface WorldDeps extends InstanceState {
  readonly clock: Clock;
  readonly logger: Logger;
}
