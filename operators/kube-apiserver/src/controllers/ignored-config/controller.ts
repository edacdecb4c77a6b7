import { valueAt } from "@keelson/base";
import { conditionStatus } from "@keelson/kube";
import { kubeApiServerController } from "../../runtime/operator-context.ts";
import { conditionType, recognizedCondition } from "./ignored-config.ts";

/** Reports keys that have no effect, for example misspelled keys. It checks the overrides and the observed configuration. */
export const ignoredConfig = kubeApiServerController({
  name: "IgnoredConfigController",
  conditions: [conditionType],
  watches: [],
  async reconcile({ configuration, parts: { events } }) {
    const condition = recognizedCondition({
      unsupportedConfigOverrides: valueAt(configuration, "spec", "unsupportedConfigOverrides"),
      observedConfig: valueAt(configuration, "spec", "observedConfig"),
    });
    const before = conditionStatus(configuration, conditionType);
    const { message = "" } = condition;
    if (condition.status === "False" && before !== "False")
      events.report({ type: "Warning", reason: "ConfigIgnored", message });
    return { conditions: [condition] };
  },
});
