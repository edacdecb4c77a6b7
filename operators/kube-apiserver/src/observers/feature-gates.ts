import { isDeepStrictEqual } from "node:util";
import { type ConfigObserver, configAt } from "@keelson/operator-kit";
import { featureGateArguments } from "../config/feature-gates.ts";
import { argumentPath, withArguments } from "./arguments.ts";
import { gatesFor, gatesInput } from "./gates.ts";
import { normal } from "./inputs.ts";

const path = argumentPath("feature-gates");

/**
 * Observes all known feature gates. No gate of this release needs an API that is off by default, so `runtime-config` is never
 * set.
 */
export function featureGatesObserver(version: string): ConfigObserver {
  return {
    name: "ObserveFeatureFlags",
    paths: [path, argumentPath("runtime-config")],
    inputs: [gatesInput],
    observe({ objects, existing, report }) {
      const gates = featureGateArguments(gatesFor(objects, version));
      if (!isDeepStrictEqual(configAt(existing, path), gates))
        report(normal("ObserveFeatureFlagsUpdated", `Updated ${path.join(".")} to ${gates.join(",")}`));
      return { config: withArguments({ "feature-gates": gates }) };
    },
  };
}
