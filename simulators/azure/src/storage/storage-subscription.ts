import type { Subscription } from "../arm/subscription.ts";
import type { Blobs } from "./blob-store.ts";

/** What requests to blobs work with. */
export interface StorageSubscription extends Subscription {
  readonly blobs: Blobs;
}
