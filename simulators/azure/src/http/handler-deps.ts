import type { Clock, Logger, Secret } from "@keelson/base";
import type { EntraDeps } from "../entra/entra-deps.ts";
import type { VirtualMachineFeed } from "../hypervisor/virtual-machine-feed.ts";
import type { ArmPipeline } from "../pipeline/arm-pipeline.ts";
import type { SimulatedSubscription } from "../pipeline/simulated-subscription.ts";
import type { RequestLog } from "../request-log/request-log.ts";

/** Services and settings for the handling of requests. */
export interface HandlerDeps {
  readonly subscription: SimulatedSubscription;
  readonly entra: EntraDeps;
  readonly feed: VirtualMachineFeed;
  readonly armPipeline: ArmPipeline;
  readonly adminToken: Secret;
  /** Base URL for links in responses. Default: the URL with the host to which the client sent its request. */
  readonly publicUrl: string | undefined;
  /** Returns the URL of the listener itself, for clients that do not use the listener's proxy. */
  readonly ownUrl: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Log of requests. Undefined if requests are not logged. */
  readonly requestLog: RequestLog | undefined;
  /** `User-Agent` header of the client that displays the log. Read requests of this client are not logged. */
  readonly unloggedReader: string | undefined;
  readonly signal: AbortSignal;
}
