import type { SkipTokenKeys } from "@keelson/arm";
import type { ServiceConfig } from "../config/service-config.ts";
import { configErrors } from "../files/config-errors.ts";

/**
 * Returns the encryption keys of `$skipToken` values. The first key encrypts new values.
 * @throws InvalidConfiguration if a key is not 32 bytes long
 */
export function skipTokenKeysOf({
  skipTokenKey,
  otherSkipTokenKeys,
}: Pick<ServiceConfig, "skipTokenKey" | "otherSkipTokenKeys">): SkipTokenKeys {
  return [
    keyOf("skipTokenKey", skipTokenKey),
    ...otherSkipTokenKeys.map((key) => keyOf("otherSkipTokenKeys", key)),
  ];
}

function keyOf(field: string, text: string): Uint8Array {
  const key = Buffer.from(text, "base64");
  if (key.length === 32) return key;
  throw configErrors.InvalidConfiguration(
    `${field} must be 32 bytes in base64, not ${key.length}. Create one with "openssl rand -base64 32".`,
  );
}
