import { isPlainObject } from "@keelson/base";
import { mergeConfigs, type SparseConfig, unionOfTexts } from "@keelson/operator-kit";
import { authorizationModes } from "./authorization-modes.ts";
import { defaultConfig, postBootstrapConfig } from "./default-config.ts";
import { type KnownConfig, restrictToKnown } from "./known-config.ts";

export interface ConfigLayers {
  /** `spec.observedConfig` */
  readonly observed?: SparseConfig | null | undefined;
  /** `spec.unsupportedConfigOverrides` */
  readonly overrides?: SparseConfig | null | undefined;
}

/** Lists of admission plugins from several layers are combined. A layer can only add plugins to a list. */
const specials = ["enable-admission-plugins", "disable-admission-plugins"].map((name) => ({
  path: ["apiServerArguments", name],
  merge: unionOfTexts,
}));

/**
 * Returns the configuration of a cluster's API servers.
 * @throws Error if layers cannot be merged or a value has the wrong type
 */
export function operandConfig({ observed, overrides }: ConfigLayers): KnownConfig {
  // Modes that apply before the observer has run. An API server without authorization modes would allow every request.
  const authorization = { apiServerArguments: { "authorization-mode": [...authorizationModes(false)] } };
  const layers = [defaultConfig, authorization, postBootstrapConfig, observed ?? {}, overrides ?? {}];
  return restrictToKnown(mergeConfigs(layers, specials));
}

/** Formats a configuration as JSON with sorted fields. JSON is valid YAML. Equal configurations result in equal strings. */
export function configText(config: SparseConfig): string {
  return JSON.stringify(sorted(config));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
