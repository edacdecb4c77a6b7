import type { KubeObject } from "@keelson/apimachinery";

/** Returns the values that are reserved for `object`. No second object in the same bucket may have one of these values. */
export type HoldingsOf = (object: KubeObject) => readonly string[];

/** Values that only one object in a bucket may have, for example node ports. */
export interface Holdings {
  has(held: string): boolean;
}

export interface HoldingsStore {
  holdings(bucket: string, holdingsOf: HoldingsOf): Holdings;
}
