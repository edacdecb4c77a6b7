import type { Range, Timings } from "./timings.ts";

const second = 1_000;
const minute = 60 * second;

/**
 * Durations from traffic that was recorded in Azure in August 2026. The durations of machine operations are estimates. The sum of
 * these estimates matches the recorded installations.
 */
const recorded = {
  vmCreateMs: { min: 60 * second, max: 90 * second },
  vmDeleteMs: { min: 45 * second, max: 75 * second },
  vmActionMs: { min: 30 * second, max: 60 * second },
  virtualNetworkWriteMs: { min: 3 * second, max: 10 * second },
  subnetWriteMs: 4 * second,
  deploymentMs: { min: 20 * second, max: 30 * second },
  groupDeleteMs: 130 * second,
  managedGroupDeleteMs: { min: 5 * minute, max: 12 * minute },
};

const byRequest: Readonly<Record<string, Range>> = {
  "put microsoft.network/virtualnetworks": { min: second, max: 3 * second },
  "put microsoft.network/virtualnetworks/subnets": second,
  "put microsoft.managedidentity/userassignedidentities": { min: second / 2, max: 3 * second },
  "delete microsoft.managedidentity/userassignedidentities": { min: 4 * second, max: 5 * second },
  "put microsoft.authorization/roleassignments": 2 * second,
  "delete microsoft.resources/resourcegroups": 5.6 * second,
  put: second,
  patch: second,
  post: second / 5,
  delete: second,
  get: second / 10,
  head: second / 10,
};

/** Returns the recorded durations multiplied by `factor`. */
export function recordedTimings(factor: number): Timings {
  const scaled = (range: Range): Range =>
    typeof range === "number" ? range * factor : { min: range.min * factor, max: range.max * factor };
  const seconds = (recordedSeconds: number) => Math.max(1, Math.round(recordedSeconds * factor));
  return {
    vmCreateMs: scaled(recorded.vmCreateMs),
    vmDeleteMs: scaled(recorded.vmDeleteMs),
    vmActionMs: scaled(recorded.vmActionMs),
    virtualNetworkWriteMs: scaled(recorded.virtualNetworkWriteMs),
    subnetWriteMs: scaled(recorded.subnetWriteMs),
    deploymentMs: scaled(recorded.deploymentMs),
    groupDeleteMs: scaled(recorded.groupDeleteMs),
    managedGroupDeleteMs: scaled(recorded.managedGroupDeleteMs),
    latencies: {
      byRequest: Object.fromEntries(Object.entries(byRequest).map(([key, range]) => [key, scaled(range)])),
      clusterValidationMs: scaled({ min: 25 * second, max: 33 * second }),
      freshAssignmentMs: scaled({ min: 15 * second, max: 17 * second }),
      freshMs: 5 * minute * factor,
    },
    recordedPolls: {
      retryAfter: {
        "microsoft.network/virtualnetworks": seconds(3),
        "microsoft.resources/resourcegroups": seconds(15),
      },
    },
  };
}
