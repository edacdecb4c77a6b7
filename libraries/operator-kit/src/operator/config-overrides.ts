import { isPlainObject, valueAt } from "@keelson/base";
import type { Controller } from "@keelson/controller";
import type { KubeResource } from "@keelson/kube";
import { type OperatorParts, operatorController } from "./operator-controller.ts";

const type = "UnsupportedConfigOverridesUpgradeable";

/** Blocks upgrades of clusters that have unsupported configuration overrides. */
export function unsupportedConfigOverrides<Parts extends OperatorParts>(
  resource: KubeResource,
): Controller<Parts> {
  return operatorController<Parts>(resource, {
    name: "UnsupportedConfigOverridesController",
    conditions: [type],
    watches: [],
    async reconcile({ configuration }) {
      const overrides = valueAt(configuration, "spec", "unsupportedConfigOverrides");
      if (overrides === undefined || overrides === null)
        return { conditions: [{ type, status: "True", reason: "NoUnsupportedConfigOverrides" }] };
      const message = `setting: [${[...new Set(leafPaths(overrides))].sort().join(" ")}]`;
      return { conditions: [{ type, status: "False", reason: "UnsupportedConfigOverridesSet", message }] };
    },
  });
}

/** Returns the paths of all leaf fields, such as `a.b.0`, without their values. */
export function leafPaths(value: unknown, path: readonly string[] = []): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => leafPaths(each, [...path, `${index}`]));
  if (isPlainObject(value))
    return Object.entries(value).flatMap(([name, each]) => leafPaths(each, [...path, name]));
  return [path.join(".")];
}
