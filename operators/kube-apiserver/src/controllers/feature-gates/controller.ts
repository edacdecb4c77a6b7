import { isDeepStrictEqual } from "node:util";
import { type Controller, done } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { type FeatureGates, featureGatesOf } from "../../config/feature-gates.ts";
import { gatesInput } from "../../observers/gates.ts";
import { singleton } from "../../observers/inputs.ts";
import {
  inputWatches,
  kubeApiServerController,
  type OperatorContext,
} from "../../runtime/operator-context.ts";

/**
 * Reports the feature gates of `version` as Events: first the initial gates, then each change. A change does not restart the
 * process.
 */
export function featureGateEvents(version: string): Controller<OperatorContext> {
  let known: FeatureGates | undefined;
  return kubeApiServerController({
    name: "FeatureGateEvents",
    watches: inputWatches([gatesInput]),
    async reconcile({ parts: { cache, events } }) {
      const gates = featureGatesOf(cache.known(resources.featureGates, singleton)?.object, version);
      if (isDeepStrictEqual(gates, known)) return done;
      const reason = known ? "FeatureGatesModified" : "FeatureGatesInitialized";
      const { enabled, disabled } = gates;
      const message = `FeatureGates updated to enabled ${enabled.join(",")}; disabled ${disabled.join(",")}`;
      events.report({ type: "Normal", reason, message });
      known = gates;
      return done;
    },
  });
}
