import type { JsonObject, JsonValue } from "@keelson/base";
import { authorizationModes } from "./authorization-modes.ts";
import { defaultConfig, postBootstrapConfig } from "./default-config.ts";
import { type KnownConfig, restrictToKnown } from "./known-config.ts";
import { mergeConfig } from "./merge-config.ts";

export interface ConfigLayers {
  /** `spec.observedConfig` */
  readonly observed?: JsonObject | null | undefined;
  /** `spec.unsupportedConfigOverrides` */
  readonly overrides?: JsonObject | null | undefined;
}

/** Lists of admission plugins are united: a layer cannot remove a plugin, only add one to those that are disabled. */
const specials = {
  ".apiServerArguments.enable-admission-plugins": uniteTexts,
  ".apiServerArguments.disable-admission-plugins": uniteTexts,
};

/**
 * The configuration that the API servers of a cluster run with.
 * @throws Error for layers that cannot be merged, or values that an API server could not decode
 */
export function operandConfig({ observed, overrides }: ConfigLayers): KnownConfig {
  // There even before the observer has run: an API server without it would admit everything.
  const authorization = { apiServerArguments: { "authorization-mode": [...authorizationModes(false)] } };
  return restrictToKnown(
    mergeConfig([defaultConfig, authorization, postBootstrapConfig, observed, overrides], specials),
  );
}

/** JSON, which is YAML too, with members sorted: the same configuration is the same text. */
export function configText(config: JsonObject): string {
  return JSON.stringify(sorted(config));
}

function sorted(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value ?? null;
  const members = Object.entries(value as JsonObject).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  );
}

function uniteTexts(below: JsonValue | undefined, added: JsonValue, path: string): JsonValue {
  const names = new Set<string>();
  for (const list of [below, added]) {
    if (list === undefined || list === null) continue;
    if (!Array.isArray(list)) throw new Error(`${path.slice(1)} must be a list`);
    for (const name of list) {
      if (typeof name !== "string") throw new Error(`${path.slice(1)} must be a list of texts`);
      names.add(name);
    }
  }
  return [...names].sort();
}
