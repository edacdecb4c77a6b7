import { readFileSync } from "node:fs";
import { messageOf } from "@keelson/base";
import { parse } from "yaml";
import type { Region } from "./configuration.ts";
import { errors } from "./errors.ts";
import { resolveRegion } from "./resolve-region.ts";

/**
 * Reads the region at `location` from a YAML or JSON file.
 * @throws InvalidDeployConfiguration
 */
export function readRegion(path: string, location: string): Region {
  return resolveRegion(readYaml(path), location.toLowerCase(), path);
}

function readYaml(path: string): unknown {
  try {
    return parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw errors.InvalidDeployConfiguration(`configuration ${path} cannot be read: ${messageOf(cause)}`, {
      cause,
    });
  }
}
