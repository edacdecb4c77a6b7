import type { KubeObject } from "@keelson/kube";
import { desiredState } from "./desired-state.ts";
import { type EncryptedResource, type NewKey, newestFirst, readKey } from "./encryption-key.ts";
import { stateOf } from "./encryption-situation.ts";
import { type KeyPolicy, nextKey } from "./new-key.ts";

export interface EncryptionObjects {
  /** Configuration that all API servers run. Undefined if they never encrypted. */
  readonly deployed: KubeObject | undefined;
  readonly keySecrets: readonly KubeObject[];
}

/** Predicts the key that the operator makes next from objects alone. Undefined if it makes none. */
export function pendingKey(
  { deployed, keySecrets }: EncryptionObjects,
  policy: KeyPolicy,
  resources: readonly EncryptedResource[],
  now: Date,
): Omit<NewKey, "kms"> | undefined {
  const keys = newestFirst(keySecrets.flatMap((each) => readKey(each) ?? []));
  const state = deployed && stateOf(deployed, keys);
  return nextKey(desiredState(state, keys, resources), policy, resources, now);
}
