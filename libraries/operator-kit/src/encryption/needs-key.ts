import type { KubeObject } from "@keelson/kube";
import { desiredState } from "./desired-state.ts";
import { type EncryptedResource, newestFirst, readKey } from "./encryption-key.ts";
import { stateOf } from "./encryption-situation.ts";
import { type KeyPolicy, nextKey } from "./new-key.ts";

export interface EncryptionObjects {
  /** Configuration that all API servers run. Undefined if encryption was never used. */
  readonly deployed: KubeObject | undefined;
  readonly keySecrets: readonly KubeObject[];
}

/** Predicts whether the operator will create a key next. The prediction uses only the given objects. */
export function needsKey(
  { deployed, keySecrets }: EncryptionObjects,
  policy: KeyPolicy,
  resources: readonly EncryptedResource[],
  now: Date,
): boolean {
  const keys = newestFirst(keySecrets.flatMap((each) => readKey(each) ?? []));
  const desired = desiredState(deployed && stateOf(deployed, keys), keys, resources);
  // The result does not depend on the key's number.
  return nextKey({ desired, newestWrittenId: 0 }, policy, resources, now) !== undefined;
}
