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

/** Lists of admission plugins are united: a layer cannot remove a plugin, only add one to those that are disabled. */
const specials = ["enable-admission-plugins", "disable-admission-plugins"].map((name) => ({
  path: ["apiServerArguments", name],
  merge: unionOfTexts,
}));

/**
 * The configuration that the API servers of a cluster run with.
 * @throws Error for layers that cannot be merged, or values that an API server could not decode
 */
export function operandConfig({ observed, overrides }: ConfigLayers): KnownConfig {
  // There even before the observer has run: an API server without it would admit everything.
  const authorization = { apiServerArguments: { "authorization-mode": [...authorizationModes(false)] } };
  const layers = [defaultConfig, authorization, postBootstrapConfig, observed ?? {}, overrides ?? {}];
  return restrictToKnown(mergeConfigs(layers, specials));
}

/** JSON, which is YAML too, with members sorted: the same configuration is the same text. */
export function configText(config: SparseConfig): string {
  return JSON.stringify(sorted(config));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
