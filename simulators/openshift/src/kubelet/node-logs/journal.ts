import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import type { JournalFormat, JournalQuery } from "./journal-query.ts";

interface JournalEntry {
  readonly at: Date;
  readonly unit: string;
  /** Program and process ID, for example `systemd[1]`. */
  readonly identifier: string;
  readonly message: string;
}

const kubelet = { unit: "kubelet", identifier: "kubenswrapper[2230]" } as const;

/**
 * Returns the lines of a simulated node's journal. They contain the start of the kubelet and each Event that the kubelet
 * recorded. A line disappears when its Event expires.
 */
export function journalLines(
  node: KubeObject,
  events: readonly KubeObject[],
  { units, since, until, tail, boot, pattern, format }: JournalQuery,
): readonly string[] {
  // A simulated node has no journal of previous boots.
  if (boot < 0) return [];
  const entries = [started(node), ...events.filter((each) => isOf(node, each)).map(entryOf)]
    .filter(({ unit }) => units.length === 0 || units.includes(unit))
    .filter(({ at }) => (since === undefined || at >= since) && (until === undefined || at <= until))
    .filter(({ message }) => pattern === undefined || pattern.matcher(message).find())
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  const kept = tail === undefined ? entries : tail === 0 ? [] : entries.slice(-tail);
  return kept.map((entry) => `${formatted(entry, node.metadata.name, format)}\n`);
}

/** True if the node's kubelet has recorded the Event. */
function isOf(node: KubeObject, event: KubeObject): boolean {
  return stringAt(event, "source", "host") === node.metadata.name;
}

function started({ metadata }: KubeObject): JournalEntry {
  const at = new Date(metadata.creationTimestamp ?? 0);
  return { at, unit: "kubelet", identifier: "systemd[1]", message: "Started Kubernetes Kubelet." };
}

function entryOf(event: KubeObject): JournalEntry {
  const text = (...path: string[]) => JSON.stringify(stringAt(event, ...path) ?? "");
  const { namespace, name } = {
    namespace: stringAt(event, "involvedObject", "namespace"),
    name: stringAt(event, "involvedObject", "name"),
  };
  const object = JSON.stringify(namespace ? `${namespace}/${name}` : name);
  const fields = [
    `object=${object}`,
    `kind=${text("involvedObject", "kind")}`,
    `type=${text("type")}`,
    `reason=${text("reason")}`,
    `message=${text("message")}`,
  ];
  const time = stringAt(event, "lastTimestamp") ?? event.metadata.creationTimestamp ?? "";
  return { ...kubelet, at: new Date(time), message: `"Event occurred" ${fields.join(" ")}` };
}

/** Formats an entry as journalctl does, with UTC times. */
function formatted(
  { at, unit, identifier, message }: JournalEntry,
  host: string,
  format: JournalFormat,
): string {
  const micros = String(at.getTime() * 1_000);
  const rest = `${host} ${identifier}: ${message}`;
  const iso = at.toISOString();
  switch (format) {
    case "cat":
      return message;
    case "json":
      return JSON.stringify({
        __REALTIME_TIMESTAMP: micros,
        _HOSTNAME: host,
        _SYSTEMD_UNIT: `${unit}.service`,
        SYSLOG_IDENTIFIER: identifier.replace(/\[.*/, ""),
        MESSAGE: message,
      });
    case "short":
      return `${monthAndTime(at)} ${rest}`;
    case "short-precise":
      return `${monthAndTime(at)}.${iso.slice(20, 23)}000 ${rest}`;
    case "short-iso":
      return `${iso.slice(0, 19)}+0000 ${rest}`;
    case "short-iso-precise":
      return `${iso.slice(0, 23)}000+0000 ${rest}`;
    case "short-unix":
      return `${micros.slice(0, -6)}.${micros.slice(-6)} ${rest}`;
  }
}

function monthAndTime(at: Date): string {
  const month = at.toLocaleString("en-US", { month: "short", timeZone: "UTC" });
  return `${month} ${String(at.getUTCDate()).padStart(2, "0")} ${at.toISOString().slice(11, 19)}`;
}
