import type { KubeObject, LogicalCluster } from "@keelson/apiserver";
import { staticPodCommand } from "../static-pod-installer/run.ts";
import type { WorkloadContext } from "../workload-context/workload-context.ts";
import { certSyncerOf } from "./cert-syncer/cert-syncer.ts";
import type { Program } from "./containers/program.ts";
import { startupMonitorOf } from "./startup-monitor/startup-monitor.ts";
import { isMirror } from "./static-pods.ts";

export interface ReleaseProgramDeps {
  readonly pod: () => KubeObject;
  readonly cluster: LogicalCluster;
  readonly context: WorkloadContext;
}

/** Static pod operators. Their installer and pruner pods run the operator binary. */
const operators: ReadonlySet<string> = new Set([
  "cluster-etcd-operator",
  "cluster-kube-apiserver-operator",
  "cluster-kube-controller-manager-operator",
  "cluster-kube-scheduler-operator",
]);

/**
 * Returns the simulation of a release's program. The result depends only on the command, not on the image. `undefined` for
 * commands that are not programs of a release.
 */
export function releaseProgramOf(words: readonly string[], deps: ReleaseProgramDeps): Program | undefined {
  const [path = "", command = ""] = words;
  const name = path.replace(/^(\/usr)?(\/local)?\/bin\//, "");
  if (!operators.has(name)) return undefined;
  const pod = deps.pod();
  // These programs access the API with the kubelet's permissions, because static pods have no service account. Other pods must
  // not run them.
  if (isMirror(pod)) {
    if (command === "cert-syncer") return certSyncerOf(name, deps);
    return command === "startup-monitor" && name === "cluster-kube-apiserver-operator"
      ? startupMonitorOf(deps)
      : undefined;
  }
  return command === "installer" || command === "prune"
    ? staticPodCommand(command, { ...deps, pod })
    : undefined;
}
