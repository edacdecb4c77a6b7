import type { KubeObject } from "@keelson/apimachinery";

/** Returns the exclusive values of an object. Each value belongs to only one object in a bucket. */
export type HoldingsOf = (object: KubeObject) => readonly string[];

/** Exclusive values of all objects in a bucket. */
export interface Holdings {
  has(held: string): boolean;
}

export interface HoldingsStore {
  holdings(bucket: string, holdingsOf: HoldingsOf): Holdings;
}
