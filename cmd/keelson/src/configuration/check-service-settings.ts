import { isPlainObject } from "@keelson/base";
import { type Region, serviceSettingsPreview } from "@keelson/deploy";
import { parseRoleConfig, parseServiceConfig } from "@keelson/env";
import { programInstallerKinds } from "./installer-kinds.ts";

/**
 * Validates the service configuration of a region's machines before the machines exist. Placeholders replace the secrets, because
 * only the machines can read the real secrets.
 * @throws InvalidConfiguration naming every invalid field
 */
export function checkServiceSettings(region: Region, source: string): void {
  for (const { name, service } of serviceSettingsPreview(region)) {
    const parse = name === "rp" ? parseServiceConfig : parseRoleConfig;
    const title = name === "rp" ? "the service" : `keelson-${name}`;
    parse(withoutReferences(service), `${source}: ${title} of ${region.location}`, programInstallerKinds);
  }
}

function withoutReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (!isPlainObject(value)) return value;
  if (typeof value.$secret === "string") return "secret";
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutReferences(each)]));
}
