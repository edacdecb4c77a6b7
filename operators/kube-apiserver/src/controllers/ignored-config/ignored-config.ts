import { isPlainObject, messageOf } from "@keelson/base";
import type { Condition } from "@keelson/controller";
import { ignoredPaths } from "../../config/known-config.ts";

export const conditionType = "ConfigRecognized";

const layers = ["unsupportedConfigOverrides", "observedConfig"] as const;
type ConfigLayers = Readonly<Partial<Record<(typeof layers)[number], unknown>>>;

/**
 * Returns a condition that lists invalid fields of the overrides and the observed configuration. Unsupported fields have no
 * effect. A value of the wrong type blocks every new configuration. The message contains paths but no values.
 */
export function recognizedCondition(spec: ConfigLayers): Condition {
  const type = conditionType;
  const unknown: string[] = [];
  const unreadable: string[] = [];
  for (const layer of layers) {
    const config = spec[layer];
    if (config === undefined || config === null) continue;
    if (!isPlainObject(config)) {
      unreadable.push(`${layer} must be an object`);
      continue;
    }
    try {
      const paths = ignoredPaths(config);
      if (paths.length > 0) unknown.push(`${layer}: ${paths.toSorted().join(", ")}`);
    } catch (error) {
      unreadable.push(`${layer}.${messageOf(error)}`);
    }
  }
  if (unreadable.length === 0 && unknown.length === 0) return { type, status: "True", reason: "AsExpected" };
  const ignored = unknown.map((each) => `has no effect: ${each}`);
  const reason = unreadable.length > 0 ? "UnreadableValues" : "UnknownKeys";
  return { type, status: "False", reason, message: [...unreadable, ...ignored].join("\n") };
}
