import { stringAt } from "@keelson/base";
import { type Controller, done } from "@keelson/controller";
import type { KubeResource } from "@keelson/kube";
import { type OperatorParts, operatorController } from "./operator-controller.ts";

const logLevels = ["Normal", "Debug", "Trace", "TraceAll"] as const;
type OperatorLogLevel = (typeof logLevels)[number];

export interface OperatorLog {
  readonly level: OperatorLogLevel;
  set(level: OperatorLogLevel): void;
}

/** Applies `spec.operatorLogLevel` to the operator's own log, even if the operator is unmanaged. */
export function operatorLogLevel<Parts extends OperatorParts>(
  resource: KubeResource,
  log: OperatorLog,
): Controller<Parts> {
  return operatorController<Parts>(resource, {
    name: "LoggingSyncer",
    watches: [],
    always: true,
    async reconcile({ configuration, parts: { events } }) {
      const text = stringAt(configuration, "spec", "operatorLogLevel") || "Normal";
      const wanted = logLevels.find((level) => level === text);
      if (!wanted) {
        const message = `Invalid logLevel ${JSON.stringify(text)}, falling back to "Normal"`;
        events.report({ type: "Warning", reason: "OperatorLogLevelInvalid", message });
      }
      const level = wanted ?? "Normal";
      if (level === log.level) return done;
      const message = `Operator log level changed from ${JSON.stringify(log.level)} to ${JSON.stringify(level)}`;
      log.set(level);
      events.report({ type: "Normal", reason: "OperatorLogLevelChange", message });
      return done;
    },
  });
}
