import { defineCollector } from "../collector.ts";
import { unexpectedConditions } from "../conditions.ts";

const expected = {
  InternetReachableFromMaster: "True",
  InternetReachableFromWorker: "True",
  ServicePrincipalValid: "True",
  DefaultIngressCertificate: "True",
  MachineValid: "True",
};
/** Conditions that every controller of the ARO operator sets, with their expected status. */
const expectedOfControllers: Readonly<Record<string, string>> = {
  Available: "True",
  Progressing: "False",
  Degraded: "False",
};

export const operatorConditions = defineCollector({
  name: "emitAroOperatorConditions",
  metrics: {
    "arooperator.conditions": {
      help: "1 for each condition of the ARO operator with an unexpected status.",
      dimensions: ["status", "type"],
    },
  },
  async collect({ view, emit, explain }) {
    for (const { type, status, message } of unexpectedConditions(await view.aroCluster(), expected)) {
      const ofController = /Controller(Available|Progressing|Degraded)$/.exec(type)?.[1];
      if (ofController !== undefined && expectedOfControllers[ofController] === status) continue;
      emit("arooperator.conditions", 1, { status, type });
      if (status === "False") explain({ metric: "arooperator.conditions", status, type, message });
    }
  },
});
