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

/**
 * Returns the agent status in the instance view of a machine that cannot boot: the agent has never reported. Returns an empty
 * object for all other machines.
 */
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
