import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { clusterId } from "@keelson/arm";
import { isPlainObject, listAt, stringAt, tryParseJson } from "@keelson/base";
import type { ClusterRef } from "../options/cluster-ref.ts";
import { printable } from "../output/printable.ts";
import type { AdminObjects } from "./admin-objects.ts";

export interface LogLine {
  /** Container as `NAMESPACE/POD/CONTAINER`, or `service`. */
  readonly source: string;
  readonly line: string;
}

/** Buffer that keeps only the last lines. */
class Tail {
  readonly #limit: number;
  #lines: string[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length >= 2 * this.#limit) this.#lines = this.lines;
  }

  get lines(): string[] {
    return this.#lines.slice(-this.#limit);
  }
}

/** Returns the last lines about a cluster in the log file of the service: creation, updates, deletion and maintenance. */
export async function serviceLog(
  path: string,
  subscriptionId: string,
  { name, resourceGroup }: ClusterRef,
  tail: number,
): Promise<readonly LogLine[]> {
  const id = clusterId(subscriptionId, resourceGroup, name).toLowerCase();
  const last = new Tail(tail);
  for await (const line of createInterface({ input: createReadStream(path, "utf8") })) {
    // Cheap check that rejects most lines before they are parsed as JSON.
    if (!line.toLowerCase().includes(id)) continue;
    if (isAbout(line, id)) last.add(printable(line));
  }
  return last.lines.map((line) => ({ source: "service", line }));
}

/**
 * True if a field of a log line contains the complete resource ID. A longer ID, such as that of a cluster with a longer name,
 * does not match.
 */
function isAbout(line: string, id: string): boolean {
  const entry = tryParseJson(line);
  if (!isPlainObject(entry)) return false;
  return Object.values(entry).some((value) => typeof value === "string" && mentions(value.toLowerCase(), id));
}

function mentions(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1))
    if (!/[-a-z0-9]/.test(text.charAt(at + id.length))) return true;
  return false;
}

export interface PodSelection {
  readonly namespace: string;
  /** Name of the pod. Default: all pods of the namespace. */
  readonly pod?: string;
  /** Name of the container. Default: all containers of a pod. */
  readonly container?: string;
  readonly tail: number;
}

/** Returns the last lines of each selected container of a cluster. Undefined if no container is selected. @throws RequestFailed */
export async function podLogs(
  objects: Pick<AdminObjects, "list" | "podLog">,
  { namespace, pod, container, tail }: PodSelection,
  signal: AbortSignal,
): Promise<readonly LogLine[] | undefined> {
  const pods = (await objects.list("Pod", namespace, signal)).filter(
    (each) => pod === undefined || stringAt(each, "metadata", "name") === pod,
  );
  let isSelected = false;
  const lines: LogLine[] = [];
  for (const each of pods) {
    const podName = stringAt(each, "metadata", "name") ?? "";
    const names = listAt(each, "spec", "containers").flatMap((its) => stringAt(its, "name") ?? []);
    for (const name of names.filter((its) => container === undefined || its === container)) {
      isSelected = true;
      const text = await objects.podLog({ namespace, pod: podName, container: name }, signal);
      const all = text.split("\n");
      if (all.at(-1) === "") all.pop();
      const source = [namespace, podName, name].map(printable).join("/");
      lines.push(...all.slice(-tail).map((line) => ({ source, line: printable(line) })));
    }
  }
  return isSelected ? lines : undefined;
}
