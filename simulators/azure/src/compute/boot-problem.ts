import type { JsonObject } from "@keelson/base";
import type { ResourceRecord } from "../arm/resource.ts";
import { nonEmptyStringAt, without } from "../base/json.ts";

/** Returns the reason why a machine's operating system does not start. The host that runs the machine reports this reason. */
export function bootProblemOf({ hidden }: ResourceRecord): string | undefined {
  return nonEmptyStringAt(hidden, "bootProblem");
}

export function withBootProblem(record: ResourceRecord, problem: string | undefined): ResourceRecord {
  const hidden = without(record.hidden, ["bootProblem"]);
  return { ...record, hidden: problem === undefined ? hidden : { ...hidden, bootProblem: problem } };
}

/** Returns the status of the machine's agent for the instance view. On a machine that does not start, the agent never reports. */
export function agentStatus(record: ResourceRecord): JsonObject {
  const problem = bootProblemOf(record);
  if (problem === undefined) return {};
  return {
    vmAgent: {
      vmAgentVersion: "Unknown",
      statuses: [
        {
          code: "ProvisioningState/Unavailable",
          level: "Warning",
          displayStatus: "Not Ready",
          message: `The operating system did not start: ${problem}`,
        },
      ],
    },
  };
}
