import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { listAt, stringAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import type { WantedObject } from "../objects/managed-objects.ts";
import type { StaticPod } from "../static-pod/static-pod.ts";

/** Readiness endpoint of the static pod. */
export interface ReadinessEndpoint {
  readonly port: number;
  /** `readyz`. */
  readonly path: string;
}

export const guardAccount = "guard-sa";

/**
 * Returns the guard pod of a node. The guard pod is ready while the node's static pod is ready. A disruption budget selects the
 * guard pod, because disruption budgets have no effect on static pods.
 */
export function guardPod(
  { name, namespace, operatorImage }: StaticPod,
  { port, path }: ReadinessEndpoint,
  node: string,
  podIP: string,
): WantedObject {
  const hash = createHash("sha1").update(`${namespace}-${node}`).digest("hex");
  const script = [
    "# properly handle TERM and exit as soon as it is signaled",
    "set -euo pipefail",
    "trap 'jobs -p | xargs -r kill; exit 0' TERM",
    "sleep infinity & wait",
    "",
  ];
  return {
    metadata: {
      namespace,
      name: `${name}-guard-${node}`,
      annotations: { "target.workload.openshift.io/management": '{"effect": "PreferredDuringScheduling"}' },
      labels: { app: "guard" },
    },
    spec: {
      // A node name may be longer than the maximum length of a hostname, so the hostname contains a hash.
      hostname: `guard-${hash}-end`,
      nodeName: node,
      serviceAccountName: guardAccount,
      automountServiceAccountToken: false,
      priorityClassName: "system-cluster-critical",
      terminationGracePeriodSeconds: 3,
      tolerations: [{ operator: "Exists" }],
      hostUsers: false,
      containers: [
        {
          name: "guard",
          image: operatorImage,
          imagePullPolicy: "IfNotPresent",
          terminationMessagePolicy: "FallbackToLogsOnError",
          command: ["/bin/bash"],
          args: ["-c", script.join("\n")],
          readinessProbe: {
            failureThreshold: 3,
            httpGet: { host: podIP, path, port, scheme: "HTTPS" },
            periodSeconds: 5,
            successThreshold: 1,
            timeoutSeconds: 5,
          },
          resources: { requests: { cpu: "10m", memory: "5Mi" } },
        },
      ],
    },
  };
}

/** True if a guard pod must be recreated. The specification of a pod is immutable. */
export function isOutdatedGuard(live: KubeObject, wanted: WantedObject): boolean {
  const phase = stringAt(live, "status", "phase") ?? "";
  if (!["", "Pending", "Running"].includes(phase)) return true;
  return !isDeepStrictEqual(essence(live), essence(wanted));
}

function essence(pod: unknown) {
  const [container] = listAt(pod, "spec", "containers");
  const probe = ["host", "port", "path"].map((member) =>
    valueAt(container, "readinessProbe", "httpGet", member),
  );
  const members = ["hostname", "serviceAccountName"].map((member) => stringAt(pod, "spec", member));
  return [stringAt(container, "image"), ...probe, ...members];
}
