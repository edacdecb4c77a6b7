import {
  type AroCluster,
  clusters,
  isFlagOn,
  type OperatorRole,
  operatorRoles,
  singleton,
} from "@keelson/aro-api";
import { stringAt, withTimeout } from "@keelson/base";
import { named, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { checkerFlag } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { Request } from "../../runtime/operator-context.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { type Attempt, httpAttempt } from "./attempt.ts";
import type { ProxySettings } from "./proxy-settings.ts";
import { Reachability } from "./reachability.ts";

const conditionTypes: Readonly<Record<OperatorRole, string>> = {
  master: "InternetReachableFromMaster",
  worker: "InternetReachableFromWorker",
};
const attemptMs = 10_000;
/** Pause in ms after an attempt that failed immediately, for example because of a refused connection. */
const pauseMs = 1_000;
const recheckMs = 3_600_000;
const recheckFailureMs = 60_000;
/** Maximum number of checked URLs. The service configures fewer URLs. */
const maxUrls = 100;
const { proxies } = resources;
const proxyKey = { name: "cluster" };

/**
 * Checks whether the URLs in the Cluster resource respond. The check runs on a node with the operator's role (master or worker).
 * Each URL is tried up to six times.
 */
function internetCheckerWith(attempt?: Attempt): RegisteredController {
  /**
   * Current series of attempts for each operator. The key is the operator's cache, because several operators of a process may
   * share this controller.
   */
  const rounds = new WeakMap<Request["cache"], Reachability>();
  return {
    name: "InternetChecker",
    flags: checkerFlag,
    conditionTypes: ["InternetReachableFromMaster", "InternetReachableFromWorker"],
    roles: operatorRoles,
    documentation: {
      purpose:
        "Checks that each URL of `spec.internetChecker.urls` responds to HEAD within six attempts of 10 s.",
      improvement:
        "Uses the cluster's proxy. Distinguishes DNS failures, TLS failures and timeouts. Sorts URLs. Checks changed URLs immediately. Does not delay other controllers.",
    },
    watches: [
      watchFor(proxies, singleton, {
        selection: { fieldSelector: "metadata.name=cluster" },
        where: named("cluster"),
      }),
    ],
    permissions: [may(reading, "config.openshift.io", ["proxies"])],
    conditions: "none",
    async reconcile({ cache, cluster, environment, flags, role, signal, status }) {
      const type = conditionTypes[role];
      if (!isFlagOn(flags, "aro.checker.enabled")) {
        rounds.delete(cache);
        await status.set([{ type, status: "Unknown" }]);
        return {};
      }
      const urls = (cluster.spec?.internetChecker?.urls ?? []).slice(0, maxUrls);
      const proxy = proxyOf(cache.known(proxies, proxyKey)?.object);
      const subject = JSON.stringify([urls, proxy]);
      let round = rounds.get(cache);
      if (round?.subject !== subject || round.open.length === 0) round = new Reachability(subject, urls);
      rounds.set(cache, round);
      await attemptAll(
        round,
        proxy,
        attempt ?? httpAttempt(environment.AZURE_CA_FILE),
        changed(cache, cluster, signal),
      );
      if (round.open.length > 0) return { requeueAfterMs: pauseMs };
      const failures = round.failures;
      const good = failures.length === 0;
      const message = good ? "Outgoing connection successful" : failures.join("\n");
      const reason = good ? "CheckDone" : "CheckFailed";
      await status.set([{ type, status: good ? "True" : "False", reason, message }]);
      return { requeueAfterMs: good ? recheckMs : recheckFailureMs };
    },
  };
}

/** Checks outgoing connections from the node of this operator. The operator's process sends the requests. */
export const internetChecker: RegisteredController = internetCheckerWith();

/** Tries all unfinished URLs concurrently. If a changed URL list interrupts an attempt, the attempt is not counted. */
async function attemptAll(
  round: Reachability,
  proxy: ProxySettings,
  attempt: Attempt,
  changed: Disposable & { readonly signal: AbortSignal },
): Promise<void> {
  using limit = changed;
  await Promise.all(
    round.open.map(async (url) => {
      const error = await attempt(url, proxy, withTimeout(limit.signal, attemptMs));
      if (!limit.signal.aborted) round.record(url, error);
    }),
  );
}

/**
 * Returns a signal that aborts when `signal` aborts or the Cluster's URL list changes. A changed list makes the current checks
 * obsolete.
 */
function changed(cache: Request["cache"], { spec }: AroCluster, signal: AbortSignal) {
  const stop = new AbortController();
  const urls = JSON.stringify(spec?.internetChecker?.urls);
  const selection = { fieldSelector: `metadata.name=${singleton.name}` };
  const subscription = cache.informer(clusters, { selection }).subscribe(({ object }) => {
    if (JSON.stringify(object.spec?.internetChecker?.urls) !== urls) stop.abort();
  });
  return {
    signal: AbortSignal.any([signal, stop.signal]),
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  };
}

function proxyOf(proxy: unknown): ProxySettings {
  const members = ["httpProxy", "httpsProxy", "noProxy"] as const;
  return Object.fromEntries(
    members.flatMap((name) => {
      const value = stringAt(proxy, "status", name);
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
}
