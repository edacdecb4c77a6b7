import type { KubeObject } from "@keelson/apimachinery";

/** Returns the exclusive values of an object. Each value belongs to only one object in a bucket. */
export type HoldingsOf = (object: KubeObject) => readonly string[];

/** Values that only one object in a bucket may have, for example node ports. */
export interface Holdings {
  has(held: string): boolean;
}

export interface HoldingsStore {
  holdings(bucket: string, holdingsOf: HoldingsOf): Holdings;
}
