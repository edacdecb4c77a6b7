import type { SkipTokenKeys } from "@keelson/arm";
import type { ServiceConfig } from "../config/service-config.ts";
import { configErrors } from "../files/config-errors.ts";

/** Keys of `$skipToken`, the one that seals first. @throws InvalidConfiguration for a key of a different length than 32 bytes */
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
