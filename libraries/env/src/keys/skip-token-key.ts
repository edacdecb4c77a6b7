import type { SkipTokenKeys } from "@keelson/arm";
import type { ServiceConfig } from "../config/service-config.ts";
import { configErrors } from "../files/config-errors.ts";
import { lengthFault } from "./key-faults.ts";

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
  const fault = lengthFault(field, text);
  if (fault !== undefined) throw configErrors.InvalidConfiguration(`${fault}.`);
  return Buffer.from(text, "base64");
}
