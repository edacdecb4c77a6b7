import type { JsonObject, JsonValue } from "@keelson/base";
import { isJsonObject, members } from "../base/json.ts";
import { badParameter } from "./vault-error.ts";
import type { VersionChange } from "./vault-row.ts";

/** Parses the version changes in a request for any object type. @throws VaultError */
export function readChange(body: JsonValue | undefined): VersionChange {
  const { attributes, tags } = requireBody(body);
  const given = members(attributes);
  const enabled = given.enabled ?? undefined;
  const [nbf, exp] = [seconds(given, "nbf"), seconds(given, "exp")];
  if (enabled !== undefined && typeof enabled !== "boolean") {
    throw badParameter("Property enabled is invalid.");
  }
  return {
    ...(isJsonObject(tags) ? { tags } : {}),
    attributes: {
      ...(enabled === undefined ? {} : { enabled }),
      ...(nbf === undefined ? {} : { nbf }),
      ...(exp === undefined ? {} : { exp }),
    },
  };
}

/** Returns the JSON object in a request body. @throws VaultError */
export function requireBody(body: JsonValue | undefined): JsonObject {
  if (isJsonObject(body)) return body;
  throw badParameter("The request body is missing or is not a JSON object.");
}

function seconds(attributes: JsonObject, name: "nbf" | "exp"): number | undefined {
  const value = attributes[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw badParameter(`Property ${name} is invalid: it is not a time in seconds.`);
}
