import { isPlainObject } from "@keelson/base";
import { type Region, serviceSettingsPreview } from "@keelson/deploy";
import { parseServiceConfig } from "@keelson/env";
import { programInstallerKinds } from "./installer-kinds.ts";

/**
 * Checks the configuration of a region's machines as `keelson rp` does, before there are machines. Texts stand for
 * secrets.
 * @throws InvalidConfiguration naming every member at fault
 */
export function checkServiceSettings(region: Region, source: string): void {
  parseServiceConfig(
    withoutReferences(serviceSettingsPreview(region)),
    `${source}: the service of ${region.location}`,
    programInstallerKinds,
  );
}

function withoutReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (!isPlainObject(value)) return value;
  if (typeof value.$secret === "string") return "secret";
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutReferences(each)]));
}
