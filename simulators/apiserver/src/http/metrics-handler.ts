import { failures } from "@keelson/apimachinery";
import type { Cluster } from "../cluster/cluster.ts";
import type { ApiRequest } from "./messages/request.ts";
import { sendText } from "./messages/respond.ts";

/** Handles `/metrics`. The response contains storage and request metrics of one cluster in the Prometheus text format. */
export function handleMetrics(
  { context: { store }, requests }: Cluster,
  { method, response }: ApiRequest,
): void {
  if (method !== "GET" && method !== "HEAD") throw failures.methodNotAllowed();
  const { events, bytes, ms } = store.historyWindow;
  const kept = store.buckets().filter((bucket) => store.count(bucket) > 0);
  const objects = kept.map(
    (bucket) => [`{resource="${resourceName(bucket)}"}`, store.count(bucket)] as const,
  );
  const text = [
    gauge("apiserver_storage_objects", "Objects stored, by resource.", objects),
    gauge("apiserver_storage_revision", "The newest revision.", [["", store.head]]),
    gauge("apiserver_watch_history_seconds", "Age of the oldest change retained for watches.", [
      ["", ms / 1_000],
    ]),
    gauge("apiserver_watch_history_events", "Number of changes retained for watches.", [["", events]]),
    gauge("apiserver_watch_history_bytes", "Size of the changes retained for watches.", [["", bytes]]),
  ];
  sendText(response, 200, text.join("") + requests.render());
}

function gauge(
  name: string,
  help: string,
  samples: readonly (readonly [labels: string, value: number])[],
): string {
  const lines = samples.map(([labels, value]) => `${name}${labels} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join("")}`;
}

/** Resource label as in kube-apiserver: `deployments.apps`. */
function resourceName(bucket: string): string {
  const [group, plural] = bucket.split("/");
  return group ? `${plural}.${group}` : (plural ?? "");
}
