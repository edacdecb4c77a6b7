import { stringAt, valueAt } from "@keelson/base";
import { type KubeClient, type KubeObject, objectFields, resources } from "@keelson/kube";
import type { ClusterEvent, ClusterEvents } from "@keelson/portal-api";
import { countAt } from "./pods.ts";
import { namespaceOf } from "./visible-namespaces.ts";

const maxEvents = 500;
const maxMessage = 2_048;

const fields = objectFields({
  metadata: { creationTimestamp: true },
  type: true,
  reason: true,
  message: true,
  count: true,
  lastTimestamp: true,
  eventTime: true,
  series: { count: true, lastObservedTime: true },
  involvedObject: { kind: true, name: true },
});

/** Reads the newest events in visible namespaces. */
export async function readEvents(
  kube: KubeClient,
  isVisible: (namespace: string) => boolean,
  signal: AbortSignal,
): Promise<ClusterEvents> {
  const { items } = await kube.list(resources.events, { fields }, signal);
  const visible = items.filter((object) => isVisible(namespaceOf(object))).map(eventView);
  // All times have the same format, so sorting them as strings also sorts them by time.
  visible.sort((one, other) => (one.lastSeen < other.lastSeen ? 1 : one.lastSeen > other.lastSeen ? -1 : 0));
  return { total: visible.length, events: visible.slice(0, maxEvents) };
}

function eventView(event: KubeObject): ClusterEvent {
  const text = (name: string) => stringAt(event, name) ?? "";
  const involved = (name: string) => stringAt(event, "involvedObject", name) ?? "";
  const series = valueAt(event, "series");
  return {
    namespace: namespaceOf(event),
    type: text("type"),
    reason: text("reason"),
    object: `${involved("kind")}/${involved("name")}`,
    message: text("message").slice(0, maxMessage),
    count: Math.max(countAt(event, "count", 1), countAt(series, "count", 1)),
    lastSeen: timeOf(
      stringAt(series, "lastObservedTime") ||
        text("lastTimestamp") ||
        text("eventTime") ||
        (stringAt(event, "metadata", "creationTimestamp") ?? ""),
    ),
  };
}

function timeOf(text: string): string {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? "" : new Date(ms).toISOString();
}
