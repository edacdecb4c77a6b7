import type { KubeObject } from "@keelson/apimachinery";

/** Returns the values of an object that no second object in the bucket may have. */
export type HoldingsOf = (object: KubeObject) => readonly string[];

/** Values that only one object in a bucket may have, for example node ports. */
export interface Holdings {
  has(held: string): boolean;
}

export interface HoldingsStore {
  holdings(bucket: string, holdingsOf: HoldingsOf): Holdings;
}
