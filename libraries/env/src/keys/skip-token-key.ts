import type { ServiceConfig } from "../config/service-config.ts";
import { configErrors } from "../files/config-errors.ts";

/** Key that seals `$skipToken`. @throws InvalidConfiguration for a key of a different length than 32 bytes */
export function skipTokenKeyOf({ skipTokenKey }: ServiceConfig): Uint8Array {
  const key = Buffer.from(skipTokenKey, "base64");
  if (key.length === 32) return key;
  throw configErrors.InvalidConfiguration(
    `skipTokenKey must be 32 bytes in base64, not ${key.length}. Create one with "openssl rand -base64 32".`,
  );
}
