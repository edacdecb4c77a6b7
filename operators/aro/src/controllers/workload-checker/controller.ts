import { isFlagOn, singleton } from "@keelson/aro-api";
import { stringAt } from "@keelson/base";
import { watchFor } from "@keelson/controller";
import { findCondition } from "@keelson/kube";
import { checkerFlag } from "../../runtime/flags.ts";
import { may } from "../../runtime/may.ts";
import type { Request } from "../../runtime/operator-context.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { faultChanged, platformWorkloads, workloadKinds } from "./platform-workloads.ts";
import { verdictOf } from "./verdict.ts";
import { workloadGauges } from "./workload-gauges.ts";

/** Minimum interval in ms between two changes of the condition message, while many workloads fail or recover. */
const messageEveryMs = 30_000;
const type = "PlatformWorkloadsReady";

interface Known {
  readonly firstSeen: Map<string, number>;
  writtenMs: number;
}

/** State of the checker, by cache. Each operator has a separate cache, and each cluster has one operator. */
const knownOf = new WeakMap<Request["cache"], Known>();

/** Reports platform workloads that have not been ready for minutes: Deployments, DaemonSets and pods. */
export const workloadChecker: RegisteredController = {
  name: "WorkloadChecker",
  flags: checkerFlag,
  conditionTypes: ["PlatformWorkloadsReady"],
  documentation: {
    purpose:
      "Checks Deployments, DaemonSets and pods of `openshift-*` and `kube-system`. The condition is False if a workload has not been ready for five minutes, and its message lists the first ten workloads. Gauges `aro_operator_platform_workloads{namespace,kind}` and `aro_operator_platform_workloads_not_ready` change immediately.",
    improvement:
      "New. The name of the condition does not end in Available, so ClusterOperator `aro` does not summarize it. Caches only the names of customers' objects. The message changes at most every 30 s.",
  },
  watches: workloadKinds.map(({ resource, ...options }) =>
    watchFor(resource, singleton, { ...options, where: faultChanged }),
  ),
  permissions: [
    may(["list", "watch"], "", ["pods"]),
    may(["list", "watch"], "apps", ["daemonsets", "deployments"]),
  ],
  conditions: "none",
  async reconcile({ cache, clock, cluster, flags, metrics, status }) {
    const gauges = workloadGauges(metrics);
    if (!isFlagOn(flags, "aro.checker.enabled")) {
      gauges.show([]);
      await status.set([{ type, status: "Unknown" }]);
      return {};
    }
    const workloads = platformWorkloads(cache);
    gauges.show(workloads);
    const known = knownOf.get(cache) ?? { firstSeen: new Map(), writtenMs: Number.NEGATIVE_INFINITY };
    knownOf.set(cache, known);
    const { condition, nextMs } = verdictOf(workloads, clock.now().getTime(), known.firstSeen);
    const present = findCondition(cluster, type);
    const hasStatus = stringAt(present, "status") === condition.status;
    const waitMs = known.writtenMs + messageEveryMs - clock.monotonicMs();
    if (hasStatus && stringAt(present, "message") === condition.message) return requeue(nextMs);
    if (hasStatus && waitMs > 0) return requeue(Math.min(waitMs, nextMs ?? waitMs));
    await status.set([condition]);
    known.writtenMs = clock.monotonicMs();
    return requeue(nextMs);
  },
};

function requeue(afterMs: number | undefined) {
  return afterMs === undefined ? {} : { requeueAfterMs: afterMs };
}
