import type { KubeClient } from "@keelson/kube";
import type { ContainerLog } from "@keelson/portal-api";
import { LogLines } from "./log-lines.ts";

/** Container of a requested log. */
export interface LoggedContainer {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export const maxLogLines = 10_000;
/** Characters of all lines. A page has no more of a log. */
const maxLogLength = 5 * 2 ** 20;

/** Returns the last lines of a container's log, 5 MiB at most. @throws KubeError */
export async function readContainerLog(
  kube: KubeClient,
  { namespace, pod, container }: LoggedContainer,
  tailLines: number,
  signal: AbortSignal,
): Promise<ContainerLog> {
  const source = new LogLines();
  const last = new LastLines();
  // One line more shows whether there are earlier ones.
  const options = { container, tailLines: tailLines + 1 };
  for await (const chunk of kube.logs({ namespace, name: pod }, options, signal))
    last.add(source.push(chunk));
  last.add(source.end());
  const lines = last.lines(tailLines);
  return { lines, truncated: source.cut || last.count > lines.length };
}

/** The last lines of a log, within the limits. */
class LastLines {
  #lines: string[] = [];
  #length = 0;
  #first = 0;
  #count = 0;

  /** Number of all added lines. */
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
    // Removal at the front takes linear time, so it is done rarely.
    if (this.#first > maxLogLines) {
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    }
  }

  lines(most: number): string[] {
    return this.#lines.slice(Math.max(this.#first, this.#lines.length - most));
  }
}
