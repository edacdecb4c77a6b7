import type { Clock } from "@keelson/base";
import { stringAt, valueAt } from "@keelson/base";
import { type Cache, type Controller, done, type EventText, keyText, watch } from "@keelson/controller";
import type { KubeApi, KubeObject, KubeResource } from "@keelson/kube";
import { isReachable, statusAfter } from "./check-status.ts";
import { dial } from "./dial.ts";

export const connectivityChecks: KubeResource = {
  group: "controlplane.operator.openshift.io",
  version: "v1alpha1",
  plural: "podnetworkconnectivitychecks",
  kind: "PodNetworkConnectivityCheck",
  namespaced: true,
};

interface ConnectivityParts {
  readonly api: Pick<KubeApi, "mergePatch">;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly report: (about: KubeObject, event: EventText) => void;
}

export interface ConnectivityOptions<Context> {
  readonly namespace: string;
  /** Pod of this process. The controller executes only the connectivity checks that name this pod as their source. */
  readonly pod: string;
  readonly parts: (context: Context) => ConnectivityParts;
}

const everyMs = 1_000;
/** Interval in ms between status writes while the reachability of the target does not change. */
const writeEveryMs = 60_000;

/** Executes the connectivity checks of a pod every second. Records the results in the status of each check. */
export function connectivity<Context>({
  namespace,
  pod,
  parts,
}: ConnectivityOptions<Context>): Controller<Context> {
  const known = new Map<string, { readonly status: unknown; readonly writtenMs: number }>();
  const selection = { namespace };
  return {
    name: "ConnectivityCheckController",
    watches: [
      watch(connectivityChecks, {
        selection,
        where: ({ object }) => stringAt(object, "spec", "sourcePod") === pod,
      }),
    ],
    concurrency: 10,
    async reconcile(key, context, { signal }) {
      const { api, cache, clock, report } = parts(context);
      const name = keyText(key);
      const check = cache.informer(connectivityChecks, { selection }).get(key);
      if (!check) {
        known.delete(name);
        return done;
      }
      const before = known.get(name) ?? {
        status: valueAt(check, "status"),
        writtenMs: Number.NEGATIVE_INFINITY,
      };
      const outcome = await dial(key.name, stringAt(check, "spec", "targetEndpoint") ?? "", clock, signal);
      const status = statusAfter(before.status, outcome);
      const [was, is] = [isReachable(before.status), isReachable(status)];
      const now = clock.monotonicMs();
      const isDue = was !== is || now - before.writtenMs >= writeEveryMs;
      if (isDue) await api.mergePatch(connectivityChecks, key, { status }, signal, "status");
      known.set(name, { status, writtenMs: isDue ? now : before.writtenMs });
      if (was !== false && is === false)
        report(check, {
          type: "Warning",
          reason: "ConnectivityOutageDetected",
          message: `Connectivity outage detected: ${outcome.message}`,
        });
      if (was === false && is)
        report(check, {
          type: "Normal",
          reason: "ConnectivityRestored",
          message: `Connectivity restored: ${outcome.message}`,
        });
      return { requeueAfterMs: everyMs };
    },
  };
}
