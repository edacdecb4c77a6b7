import type { KubeClient } from "@keelson/kube";
import type { ContainerLog } from "@keelson/portal-api";
import { LogLines } from "./log-lines.ts";

/** Container with the requested log. */
export interface LoggedContainer {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export const maxLogLines = 10_000;
/** Maximum total length of the lines in characters. A page displays at most this part of a log. */
const maxLogLength = 5 * 2 ** 20;

/**
 * Reads the last lines of a container's log, at most 5 MiB.
 * @throws KubeError
 */
export async function readContainerLog(
  kube: KubeClient,
  { namespace, pod, container }: LoggedContainer,
  tailLines: number,
  signal: AbortSignal,
): Promise<ContainerLog> {
  // One line more than requested is read, in order to find out whether earlier lines exist.
  const options = { container, tailLines: tailLines + 1 };
  return lastLogLines(kube.logs({ namespace, name: pod }, options, signal), tailLines);
}

/** Returns the last printable lines of a log, at most 5 MiB. */
export async function lastLogLines(
  log: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
): Promise<ContainerLog> {
  const source = new LogLines();
  const last = new LastLines();
  for await (const chunk of log) last.add(source.push(chunk));
  last.add(source.end());
  const lines = last.lines(most);
  return { lines, truncated: source.cut || last.count > lines.length };
}

/** Collects the last lines of a log within the limits. */
class LastLines {
  #lines: string[] = [];
  #length = 0;
  #first = 0;
  #count = 0;

  /** Total number of added lines. */
  get count(): number {
    return this.#count;
  }

  add(lines: readonly string[]): void {
    for (const line of lines) {
      this.#lines.push(line);
      this.#length += line.length;
      this.#count++;
    }
    while (this.#length > maxLogLength) this.#length -= this.#lines[this.#first++]?.length ?? 0;
    // The array is shortened only rarely, because removing elements at its start takes linear time.
    if (this.#first > maxLogLines) {
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    }
  }

  lines(most: number): string[] {
    return this.#lines.slice(Math.max(this.#first, this.#lines.length - most));
  }
}
