import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { fallbackAnnotations } from "../node/last-known-good.ts";
import { monitorConditions } from "./monitor-conditions.ts";

const now = new Date("2026-01-01T00:10:00Z");
const monitor = (status: object): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "pod-startup-monitor-m" },
  status,
});
const container = (state: object, restartCount = 0) => ({ name: "startup-monitor", state, restartCount });
const pendingSince = (startTime: string, more: object = {}) =>
  monitor({ phase: "Pending", startTime, ...more });

const cases: readonly {
  readonly name: string;
  readonly pod: KubeObject | undefined;
  /** Expected conditions of the monitor's pod and of its restarts, formatted as `status reason: message`. */
  readonly found: readonly [pod: string, restarts: string];
}[] = [
  { name: "no node is in transition", pod: undefined, found: ["False", "False"] },
  {
    name: "it runs",
    pod: monitor({ phase: "Running", containerStatuses: [container({}, 1)] }),
    found: ["False", "False"],
  },
  {
    name: "it is pending for a minute",
    pod: pendingSince("2026-01-01T00:09:00Z"),
    found: ["False", "False"],
  },
  {
    name: "it is pending for two minutes",
    pod: pendingSince("2026-01-01T00:08:00Z"),
    found: [
      "True Unknown: the pod pod-startup-monitor-m has been in Pending phase for more than max tolerated time (2m0s) due to unknown",
      "False",
    ],
  },
  {
    name: "its image cannot be pulled",
    pod: pendingSince("2026-01-01T00:00:00Z", {
      containerStatuses: [container({ waiting: { reason: "ErrImagePull", message: "no such image" } })],
    }),
    found: [
      "True ErrImagePull: at least one container startup-monitor is waiting since 2026-01-01T00:00:00.000Z due to no such image",
      "False",
    ],
  },
  {
    name: "it failed, and was restarted twice before",
    pod: monitor({
      phase: "Failed",
      containerStatuses: [
        container({ terminated: { exitCode: 3, reason: "Error", message: "a missing lock" } }, 2),
      ],
    }),
    found: [
      "True Error: at least one container startup-monitor in pod-startup-monitor-m pod exited with 3 (expected nonzero exit code), due to a missing lock",
      "True ExcessiveRestarts: at least one container startup-monitor in pod-startup-monitor-m pod has restarted 2 times, max allowed is 2",
    ],
  },
];
for (const { name, pod, found } of cases)
  test(`the monitor's conditions while ${name}`, () => {
    const texts = monitorConditions(pod, [], now).map(({ status, reason, message }) =>
      reason === undefined ? status : `${status} ${reason}: ${message}`,
    );
    assert.deepEqual(texts, [...found, "False"]);
  });

test("static pods that went back are named, with the reason of the first", () => {
  const fallen = (name: string, reason: string): KubeObject => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      annotations: {
        [fallbackAnnotations.revision]: "7",
        [fallbackAnnotations.reason]: reason,
        [fallbackAnnotations.message]: "it is unreachable",
      },
    },
  });
  const [, , found] = monitorConditions(undefined, [fallen("a", "Unhealthy"), fallen("b", "NotReady")], now);
  assert.deepEqual(found, {
    type: "StaticPodFallbackRevisionDegraded",
    status: "True",
    reason: "Unhealthy",
    message:
      "a static pod a was rolled back to revision 7 due to it is unreachable\na static pod b was rolled back to revision 7 due to it is unreachable",
  });
});
