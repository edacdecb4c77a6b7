import type { KubeObject } from "@keelson/kube";
import type { EncryptionState } from "./encryption-config.ts";
import { isSameKey, keyIdOf, readKey } from "./encryption-key.ts";

const keptUnused = 10;

/** The Secrets of keys that nothing needs any more, but for the ten newest of them. */
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
