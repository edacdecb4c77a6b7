import type { SkipTokenSealer } from "@keelson/arm";
import type { Clock } from "@keelson/base";
import type { ServiceDatabase } from "@keelson/model";
import type { Catalogue } from "./catalogue.ts";

/** What the routes work with. */
export interface Service {
  readonly database: ServiceDatabase;
  readonly catalogue: Catalogue;
  readonly sealer: SkipTokenSealer;
  readonly clock: Clock;
  /** The region, in the form `eastus`. */
  readonly location: string;
  /** The DNS domain under which clusters without one of their own get their names. */
  readonly domain: string;
  /** Written to every cluster made by this build. */
  readonly buildId: string;
  /** How long clients should wait between polls. */
  readonly retryAfterSeconds: number;
  /** True when this process may get requests. */
  readonly ready: (signal: AbortSignal) => Promise<boolean>;
}
