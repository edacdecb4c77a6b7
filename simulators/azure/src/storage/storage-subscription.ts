import type { Subscription } from "../arm/subscription.ts";
import type { Blobs } from "./blob-store.ts";

/** Subscription with its blobs. */
export interface StorageSubscription extends Subscription {
  readonly blobs: Blobs;
}
