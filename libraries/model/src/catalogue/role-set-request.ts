import { isPlainObject } from "@keelson/base";
import { malformed } from "../bodies/malformed.ts";
import { invalid, requestProperty, requestString } from "../bodies/request-properties.ts";
import type { PlatformWorkloadIdentityRole, RoleSetDocument } from "../documents/catalogue-documents.ts";

export type RoleSetProperties = RoleSetDocument["platformWorkloadIdentityRoleSet"]["properties"];

const roles = "properties.platformWorkloadIdentityRoles";

/**
 * Parses a PUT request for the roles of a minor version.
 * @throws CloudError InvalidParameter. Its `target` lists all missing properties of the roles, separated by commas.
 */
export function parseRoleSetRequest(body: unknown): RoleSetProperties {
  if (!isPlainObject(body)) throw malformed("", "an object", body);
  const properties = requestProperty(body, "properties") ?? {};
  if (!isPlainObject(properties)) throw malformed("properties", "an object", properties);
  const openShiftVersion = requestString(properties, "openShiftVersion", "properties.openShiftVersion");
  if (openShiftVersion === "") throw invalid("properties.openShiftVersion", "Must be provided");
  if (!/^\d+\.\d+$/.test(openShiftVersion)) {
    throw invalid(
      "properties.openShiftVersion",
      `The provided version '${openShiftVersion}' is invalid: must be in the format 'x.y'.`,
    );
  }
  const sent = requestProperty(properties, "platformWorkloadIdentityRoles") ?? [];
  if (!Array.isArray(sent)) throw malformed(roles, "an array", sent);
  if (sent.length === 0) throw invalid(roles, "Must be provided and must be non-empty");
  const parsed = sent.map((role: unknown, index) => parseRole(role, `${roles}[${index}]`));
  const missing = parsed.flatMap((role, index) =>
    missingOf(role).map((name) => `${roles}[${index}].${name}`),
  );
  if (missing.length > 0) throw invalid(missing.join(", "), "Must be provided");
  return { openShiftVersion, platformWorkloadIdentityRoles: parsed };
}

function parseRole(role: unknown, path: string): PlatformWorkloadIdentityRole {
  if (!isPlainObject(role)) throw malformed(path, "an object", role);
  const serviceAccounts = requestProperty(role, "serviceAccounts") ?? [];
  const secretLocation = requestProperty(role, "secretLocation") ?? {};
  if (!Array.isArray(serviceAccounts))
    throw malformed(`${path}.serviceAccounts`, "an array", serviceAccounts);
  if (!isPlainObject(secretLocation)) throw malformed(`${path}.secretLocation`, "an object", secretLocation);
  return {
    operatorName: requestString(role, "operatorName", `${path}.operatorName`),
    roleDefinitionName: requestString(role, "roleDefinitionName", `${path}.roleDefinitionName`),
    roleDefinitionId: requestString(role, "roleDefinitionId", `${path}.roleDefinitionId`),
    serviceAccounts: serviceAccounts.map((account: unknown, index) => {
      if (typeof account === "string") return account;
      throw malformed(`${path}.serviceAccounts[${index}]`, "a string", account);
    }),
    secretLocation: {
      namespace: requestString(secretLocation, "namespace", `${path}.secretLocation.namespace`),
      name: requestString(secretLocation, "name", `${path}.secretLocation.name`),
    },
  };
}

function missingOf(role: PlatformWorkloadIdentityRole): string[] {
  const names = ["operatorName", "roleDefinitionName", "roleDefinitionId", "serviceAccounts"] as const;
  return names.filter((name) => role[name].length === 0);
}
