import { isDeepStrictEqual } from "node:util";
import { type KubeObject, resources } from "@keelson/kube";
import { dataOf } from "../objects/object-data.ts";
import type { OperatorParts, OperatorRequest } from "../operator/operator-controller.ts";
import { readKeysOf } from "./encryption-config.ts";
import { type EncryptionKey, keyIdOf } from "./encryption-key.ts";
import type { EncryptionSituation } from "./encryption-situation.ts";
import { type KmsKey, kmsKeyData } from "./kms-key.ts";
import { isSameService } from "./kms-plugin.ts";
import { readReferences } from "./kms-references.ts";
import type { KeyPolicy } from "./new-key.ts";

/** Active key with an outdated plugin configuration or outdated referenced data. */
export interface OutdatedKey {
  readonly key: EncryptionKey;
  readonly secret: KubeObject;
  readonly kms: KmsKey;
  /** True if the policy requests this key. The preflight then tests its new configuration. */
  readonly isTried: boolean;
}

/**
 * Returns the KMS keys that need an update of their configuration: renewed credentials, a renewed CA bundle or a changed plugin
 * configuration. The key management service still uses the same key material, so no data is rewritten. If a referenced object is
 * missing, the previous data of this object is kept.
 */
export async function outdatedKeys<Parts extends OperatorParts>(
  { desired, keySecrets }: EncryptionSituation,
  { mode, plugin: asked }: KeyPolicy,
  { objects }: OperatorRequest<Parts>,
): Promise<readonly OutdatedKey[]> {
  const inUse = readKeysOf(desired);
  const outdated: OutdatedKey[] = [];
  for (const key of inUse) {
    const secret = keySecrets.find((each) => keyIdOf(each) === key.id);
    if (!key.kms || !secret || !key.isBacked) continue;
    const isTried = mode === "KMS" && key === inUse[0] && isSameService(key.kms.plugin, asked);
    const plugin = isTried ? asked : key.kms.plugin;
    if (!plugin) continue;
    const references = await readReferences(plugin, (...given) => objects.find(...given)).catch((error) => {
      if (isTried) throw error;
    });
    if (!references) continue;
    const kms: KmsKey = { provider: key.kms.provider, plugin, ...references };
    if (!isDeepStrictEqual(kms, key.kms)) outdated.push({ key, secret, kms, isTried });
  }
  return outdated;
}

/** Updates a key's Secret to the current configuration. The key itself does not change. */
export async function refreshKey<Parts extends OperatorParts>(
  { key, secret, kms }: OutdatedKey,
  { parts: { api, events }, signal }: OperatorRequest<Parts>,
): Promise<void> {
  const { name, namespace = "", resourceVersion } = secret.metadata;
  const wanted: Readonly<Record<string, string | null>> = kmsKeyData(key.id, kms);
  const before = kmsKeyData(key.id, key.kms ?? kms);
  const gone = Object.keys(dataOf(secret)).filter(
    (member) => Object.hasOwn(before, member) && !Object.hasOwn(wanted, member),
  );
  const data = { ...Object.fromEntries(gone.map((member) => [member, null])), ...wanted };
  await api.mergePatch(
    resources.secrets,
    { namespace, name },
    { metadata: { resourceVersion }, data },
    signal,
  );
  const message = `Secret ${JSON.stringify(name)} has the present configuration of its key management service`;
  events.report({ type: "Normal", reason: "EncryptionKeyRefreshed", message });
}
