import { type Clock, stringAt, withTimeout } from "@keelson/base";
import { conditionStatus, type KubeClient, type KubeObject, resources } from "@keelson/kube";
import type { StartupState } from "@keelson/operator-kit";

export interface ReadinessOptions {
  readonly api: Pick<KubeClient, "list" | "statusCode">;
  readonly namespace: string;
  readonly node: string;
  readonly revision: number;
  readonly clock: Clock;
}

const requestMs = 4_000;
const listFailed = "failed to list kube-apiserver static pods";
const readyTimes = 3;
const readyEveryMs = 5_000;
/** Readiness checks of aggregated API servers. Aggregated API servers may start later than this API server. */
const excludedChecks = [
  "api-openshift-apiserver-available",
  "api-openshift-oauth-apiserver-available",
  "poststarthook/openshift.io-openshift-apiserver-reachable",
  "poststarthook/openshift.io-oauth-apiserver-reachable",
];

/**
 * Returns the state of the API server on this node. The API server is ready if it responds, the revision's pod runs, and the
 * kubelet reports this pod as ready.
 */
export async function apiServerState(options: ReadinessOptions, signal: AbortSignal): Promise<StartupState> {
  const { clock } = options;
  const excluded = excludedChecks.map((each) => `&exclude=${each}`).join("");
  const checks: readonly (() => Promise<StartupState>)[] = [
    async () => {
      const state = revisionState(await findPod(options, signal), options);
      // If the pods cannot be listed, this check passes, because the new API server may not be reachable yet.
      return !state.ready && state.message === listFailed ? { ready: true } : state;
    },
    () => pathState("/healthz/etcd", "EtcdUnhealthy", options, signal),
    () => pathState(`/healthz?verbose=true${excluded}`, "Unhealthy", options, signal),
    async () => {
      for (let time = 1; ; time += 1) {
        const state = await pathState(`/readyz?verbose=true${excluded}`, "NotReady", options, signal);
        if (!state.ready || time === readyTimes) return state;
        await clock.sleep(readyEveryMs, signal);
      }
    },
    async () => podState(await findPod(options, signal), options),
  ];
  for (const check of checks) {
    const state = await check();
    if (!state.ready) return state;
  }
  return { ready: true };
}

async function pathState(
  path: string,
  reason: string,
  { api }: ReadinessOptions,
  signal: AbortSignal,
): Promise<StartupState> {
  const code = await api.statusCode(path, withTimeout(signal, requestMs)).catch(() => {
    signal.throwIfAborted();
    return 0;
  });
  if (code === 200) return { ready: true };
  return code === 0
    ? unready("NetworkError", "waiting for kube-apiserver static pod to listen on port 6443")
    : unready(reason, `${path.split("?")[0]} answered with status ${code}`);
}

async function findPod(
  { api, namespace, node }: ReadinessOptions,
  signal: AbortSignal,
): Promise<KubeObject | StartupState> {
  let pods: readonly KubeObject[];
  try {
    const within = withTimeout(signal, requestMs);
    pods = (await api.list(resources.pods, { namespace, labelSelector: "apiserver=true" }, within)).items;
  } catch {
    signal.throwIfAborted();
    return unready("PodListError", listFailed);
  }
  const [pod, ...others] = pods.filter((each) => stringAt(each, "spec", "nodeName") === node);
  if (!pod)
    return unready("PodNotRunning", `waiting for kube-apiserver static pod for node ${node} to show up`);
  if (others.length === 0) return pod;
  const names = [pod, ...others].map(({ metadata }) => metadata.name).join(" ");
  return unready("PodListError", `multiple kube-apiserver static pods for node ${node} found: [${names}]`);
}

function revisionState(found: KubeObject | StartupState, { revision }: ReadinessOptions): StartupState {
  if ("ready" in found) return found as StartupState;
  const { name, labels } = found.metadata;
  const label = labels?.revision;
  if (label === undefined) return unready("InvalidPod", `missing revision label on static pod ${name}`);
  if (label === "") return unready("InvalidPod", `unexpected empty revision label on static pod ${name}`);
  if (!/^\d{1,9}$/.test(label))
    return unready("InvalidPod", `invalid revision label on static pod ${name}: ${JSON.stringify(label)}`);
  if (Number(label) === revision) return { ready: true };
  return unready(
    "UnexpectedRevision",
    `waiting for kube-apiserver static pod ${name} of revision ${revision}, found ${label}`,
  );
}

function podState(found: KubeObject | StartupState, options: ReadinessOptions): StartupState {
  if ("ready" in found) return found as StartupState;
  const { name } = found.metadata;
  const phase = stringAt(found, "status", "phase") ?? "";
  // This reason is spelled as in OpenShift's Go operator, because other programs read it.
  if (phase !== "Running")
    return unready("PodNodReady", `waiting for kube-apiserver static pod ${name} to be running: ${phase}`);
  if (conditionStatus(found, "Ready") !== "True")
    return unready("PodNodReady", `waiting for kube-apiserver static pod ${name} to be ready`);
  return revisionState(found, options);
}

function unready(reason: string, message: string): StartupState {
  return { ready: false, reason, message };
}
