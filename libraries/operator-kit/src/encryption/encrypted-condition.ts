import type { Condition } from "@keelson/controller";
import type { EncryptionState } from "./encryption-config.ts";
import { type EncryptedResource, isMigrated } from "./encryption-key.ts";

/** Returns the condition `Encrypted`. The caller must ensure that all API servers run the given configuration. */
export function encryptedCondition(
  deployed: EncryptionState | undefined,
  desired: EncryptionState,
  hasKeys: boolean,
  resources: readonly EncryptedResource[],
): Condition {
  const not = (reason: string, message: string): Condition => ({
    type: "Encrypted",
    status: "False",
    reason,
    message,
  });
  if (!hasKeys) return not("EncryptionDisabled", "Encryption is not enabled");
  const identities = [...desired.values(), ...(deployed?.values() ?? [])].flatMap(({ writeKey }) =>
    writeKey?.mode === "identity" ? [writeKey] : [],
  );
  const [identity] = identities;
  if (identity)
    return isMigrated(identity, resources)
      ? not("DecryptionCompleted", "Encryption mode set to identity and everything is decrypted")
      : not("DecryptionInProgress", "Encryption mode set to identity and decryption is not finished");
  for (const resource of resources) {
    const keys = deployed?.get(resource);
    if (!keys) return not("EncryptionInProgress", `Resource ${resource} is not encrypted`);
    const decided = keys.readKeys.find((key) => key.mode === "identity" || isMigrated(key, [resource]));
    if (decided?.mode === "identity") return not("EncryptionInProgress", "Encryption is ongoing");
    if (!decided) return not("EncryptionInProgress", `Resource ${resource} is being encrypted`);
  }
  const message = `All resources encrypted: ${resources.join(", ")}`;
  return { type: "Encrypted", status: "True", reason: "EncryptionCompleted", message };
}
