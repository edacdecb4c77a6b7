import type { KubeObject } from "@keelson/kube";
import type { EncryptionState } from "./encryption-config.ts";
import { isSameKey, keyIdOf, readKey } from "./encryption-key.ts";

const keptUnused = 10;

/** Returns the Secrets of unneeded keys, except the ten newest ones. */
export function prunableKeys(
  secrets: readonly KubeObject[],
  desired: EncryptionState,
): readonly KubeObject[] {
  const used = [...desired.values()].flatMap(({ readKeys }) => readKeys);
  return secrets
    .toSorted((a, b) => (keyIdOf(b) ?? 0) - (keyIdOf(a) ?? 0))
    .filter((secret) => {
      const key = readKey(secret);
      return !key || !used.some((each) => isSameKey(each, key));
    })
    .slice(keptUnused);
}
