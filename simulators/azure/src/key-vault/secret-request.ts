import type { JsonValue } from "@keelson/base";
import { badParameter } from "./vault-error.ts";
import { requireBody } from "./version-request.ts";

/** Maximum secret size in Key Vault: 25 KB. */
const maxValueLength = 25_600;

/** Returns the secret value in a request. @throws VaultError */
export function readValue(body: JsonValue | undefined): string {
  const { value } = requireBody(body);
  if (typeof value !== "string") throw badParameter("Required parameter 'value' is missing or invalid.");
  if (value.length > maxValueLength) {
    throw badParameter(`The value is longer than ${maxValueLength} characters.`);
  }
  return value;
}
