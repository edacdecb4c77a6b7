import { listAt, numberAt, stringAt, valueAt } from "@keelson/base";
import type { Condition } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";
import { timeAt } from "../static-pod/static-pod.ts";

const type = "StaticPodsDegraded";
const graceMs = 10_000;

/**
 * Returns a condition that lists the container problems of the static pods. Its status is True if a container is waiting or has
 * exited with an error. All other problems may be temporary, so they are listed without affecting the status.
 */
export function staticPodsCondition(pods: readonly KubeObject[], now: Date): Condition {
  const errors: string[] = [];
  let failing = false;
  for (const pod of pods) {
    const specs = listAt(pod, "spec", "containers");
    for (const [index, status] of listAt(pod, "status", "containerStatuses").entries()) {
      const container = `pod/${pod.metadata.name} container ${JSON.stringify(stringAt(status, "name") ?? "")}`;
      const waiting = valueAt(status, "state", "waiting");
      const terminated = valueAt(status, "state", "terminated");
      const started = timeAt(status, "state", "running", "startedAt");
      if (waiting !== undefined && stringAt(waiting, "reason") !== "PodInitializing") {
        errors.push(`${container} is waiting: ${described(waiting)}`);
        failing = true;
      } else if (terminated !== undefined) {
        // A container with exit code 0 may have exited intentionally, for example to read a new certificate.
        errors.push(`${container} is terminated: ${described(terminated)}`);
        failing ||= numberAt(terminated, "exitCode") !== 0;
      } else if (started && valueAt(status, "ready") !== true) {
        if (now.getTime() - started.getTime() > startupMs(specs[index]))
          errors.push(`${container} started at ${started.toISOString()} is still not ready`);
      }
    }
  }
  if (errors.length === 0) return { type, status: "False" };
  return { type, status: failing ? "True" : "False", reason: "Error", message: errors.join("\n") };
}

/** Returns the time in ms that a container's probes allow for its start. */
function startupMs(container: unknown): number {
  const probeMs = (name: string) => {
    const probe = valueAt(container, name);
    if (probe === undefined) return 0;
    const seconds = (member: string, otherwise: number) => numberAt(probe, member) ?? otherwise;
    const attempts = seconds("failureThreshold", 3);
    return (seconds("initialDelaySeconds", 0) + seconds("periodSeconds", 10) * attempts) * 1_000;
  };
  const live = valueAt(container, "livenessProbe") === undefined ? 30_000 : probeMs("livenessProbe");
  return Math.max(live, probeMs("readinessProbe")) + probeMs("startupProbe") + graceMs;
}

function described(state: unknown): string {
  return `${stringAt(state, "reason") ?? "unknown reason"}: ${stringAt(state, "message") ?? ""}`;
}

/** Returns the image that all static pods run. Undefined if the images differ or a pod is missing. */
export function operandImage(pods: readonly (KubeObject | undefined)[]): string | undefined {
  const [image, ...others] = new Set(
    pods.map((pod) => stringAt(listAt(pod, "spec", "containers")[0], "image")),
  );
  return others.length === 0 ? image : undefined;
}
