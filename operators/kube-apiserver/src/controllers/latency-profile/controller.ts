import type { Condition } from "@keelson/controller";
import { listAt, numberAt, resources, textAt } from "@keelson/kube";
import { namespaces } from "../../namespaces.ts";
import { clusterInput, namespaceInput, singleton } from "../../observers/inputs.ts";
import { latencyArguments, runsWith } from "../../observers/latency-profile.ts";
import { inputWatches, kubeApiServerController } from "../../operator-context.ts";

const progressing = "WorkerLatencyProfileProgressing";
const complete = "WorkerLatencyProfileComplete";

/** Reports whether all API servers run with the tolerations of the cluster's latency profile. */
export const latencyProfile = kubeApiServerController({
  name: "WorkerLatencyProfile",
  degraded: { type: "WorkerLatencyProfileDegraded", failed: "SyncError", fine: "AsExpected" },
  conditions: [progressing, complete],
  watches: inputWatches([
    clusterInput(resources.configNodes),
    namespaceInput(resources.configMaps, namespaces.target),
  ]),
  async reconcile({ parts: { cache }, configuration }) {
    const node = cache.known(resources.configNodes, singleton)?.object;
    const profile = textAt(node, "spec", "workerLatencyProfile") ?? "";
    if (profile === "")
      return { conditions: report(true, "ProfileEmpty", "latency profile not set on cluster") };
    const wanted = latencyArguments(profile);
    if (!wanted)
      throw new Error(`latency profile "${profile}" of nodes.config.openshift.io/cluster is unknown`);
    const find = <T>(_: unknown, key: { name: string }) =>
      cache.known(resources.configMaps, { namespace: namespaces.target, name: key.name })?.object as
        | T
        | undefined;
    const revisions = listAt(configuration, "status", "nodeStatuses").map(
      (each) => numberAt(each, "currentRevision") ?? 0,
    );
    const done = revisions.length > 0 && revisions.every((revision) => runsWith(revision, wanted, { find }));
    return {
      conditions: done
        ? report(
            true,
            "ProfileUpdated",
            `all static pod revision(s) have updated latency profile "${profile}"`,
          )
        : report(
            false,
            "ProfileUpdateTriggered",
            `static pod revision(s) do not have latency profile "${profile}" yet`,
          ),
    };
  },
});

function report(isComplete: boolean, reason: string, message: string): readonly Condition[] {
  const messages = isComplete ? { [complete]: message } : { [progressing]: message };
  return [
    {
      type: progressing,
      status: isComplete ? "False" : "True",
      reason,
      message: messages[progressing] ?? "",
    },
    { type: complete, status: isComplete ? "True" : "False", reason, message: messages[complete] ?? "" },
  ];
}
