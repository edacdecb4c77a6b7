import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";

/** Default port of Node's inspector after SIGUSR1. Only one process at a time can listen on it. */
const defaultPort = 9_229;

/** Inspector response, or an event without `id`. */
interface InspectorMessage {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: object;
  readonly method?: string;
  readonly params?: { readonly chunk?: string };
}

/** Connection to the inspector of a running Node process. The process needs no special options. */
export class InspectedProcess implements AsyncDisposable {
  readonly #socket: WebSocket;
  readonly #port: number;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  /** Called with each chunk of a heap snapshot. */
  #onSnapshotChunk: ((chunk: string) => void) | undefined;

  private constructor(socket: WebSocket, port: number) {
    this.#socket = socket;
    this.#port = port;
    socket.addEventListener("message", ({ data }) => this.#receive(JSON.parse(String(data))));
    socket.addEventListener("close", () => {
      for (const { reject } of this.#pending.values()) reject(new Error("the inspector was closed"));
    });
  }

  /**
   * Opens the inspector of a process. Waits while a different process uses the inspector's port.
   * @throws Error if the process exits
   */
  static async connect(pid: number, port = defaultPort): Promise<InspectedProcess> {
    for (;;) {
      process.kill(pid, "SIGUSR1");
      const connected = await InspectedProcess.#open(await inspectorUrl(pid, port), port);
      if (connected) {
        const found = await connected.#evaluate("process.pid").catch(() => undefined);
        if (found === pid) return connected;
        connected.#socket.close();
      }
      await delay(500);
    }
  }

  /** Connects to an inspector URL. Returns undefined if the process no longer listens at this URL. */
  static async #open(target: string, port: number): Promise<InspectedProcess | undefined> {
    const socket = new WebSocket(target);
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.addEventListener("open", () => resolve(true), { once: true });
      socket.addEventListener("error", () => resolve(false), { once: true });
    });
    return isOpen ? new InspectedProcess(socket, port) : undefined;
  }

  /** Collects garbage. Returns the memory in MiB that the heap and the buffers use. */
  async liveMib(): Promise<number> {
    return await this.#afterCollection(({ heapUsed, external }) => heapUsed + external);
  }

  /** Collects garbage. Returns the used heap in MiB. Does not count buffers, for example of a database in the same process. */
  async liveHeapMib(): Promise<number> {
    return await this.#afterCollection(({ heapUsed }) => heapUsed);
  }

  /** Returns the number of timers, sockets, requests and handles that keep the event loop alive. */
  async activeResources(): Promise<number> {
    return Number(await this.#evaluate("process.getActiveResourcesInfo().length"));
  }

  /** Writes a heap snapshot for Chromium's developer tools. */
  async writeHeapSnapshot(file: string): Promise<void> {
    const descriptor = openSync(file, "w");
    try {
      this.#onSnapshotChunk = (chunk) => writeSync(descriptor, chunk);
      await this.#call("HeapProfiler.takeHeapSnapshot");
    } finally {
      this.#onSnapshotChunk = undefined;
      closeSync(descriptor);
    }
  }

  /** Writes a CPU profile that covers the time until `end` settles. */
  async profileUntil(end: Promise<unknown>, file: string): Promise<void> {
    await this.#call("Profiler.enable");
    await this.#call("Profiler.start");
    await end;
    const { profile } = await this.#call("Profiler.stop");
    writeFileSync(file, JSON.stringify(profile));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#socket.addEventListener("close", resolve, { once: true }));
    // The inspector is closed only after this connection has been closed. An immediate close would wait for the end of all
    // connections, including this one.
    await this.#evaluate(
      'setTimeout(() => process.getBuiltinModule("node:inspector").close(), 50).unref(), 0',
    );
    this.#socket.close();
    await closed;
    // Waits until the inspector's port is free, so that the next process can use it.
    while ((await targets(this.#port)) !== undefined) await delay(50);
  }

  async #afterCollection(bytesOf: (memory: NodeJS.MemoryUsage) => number): Promise<number> {
    await this.#call("HeapProfiler.collectGarbage");
    return Number(await this.#evaluate(`(${bytesOf})(process.memoryUsage())`)) / 2 ** 20;
  }

  async #evaluate(expression: string): Promise<unknown> {
    const { result } = await this.#call("Runtime.evaluate", { expression, returnByValue: true });
    return Object(result).value;
  }

  async #call(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.#lastId;
    const response = Promise.withResolvers<unknown>();
    this.#pending.set(id, response);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return Object(await response.promise);
  }

  #receive(message: InspectorMessage): void {
    if (message.id === undefined) {
      if (message.method === "HeapProfiler.addHeapSnapshotChunk")
        this.#onSnapshotChunk?.(message.params?.chunk ?? "");
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.error === undefined) pending?.resolve(message.result);
    else pending?.reject(new Error(JSON.stringify(message.error)));
  }
}

/** Collects garbage in a process. Returns the used heap in MiB. */
export async function liveHeapMibOf(pid: number): Promise<number> {
  await using inspected = await InspectedProcess.connect(pid);
  return await inspected.liveHeapMib();
}

/** Returns the inspector URL of a process. Waits until the process listens. @throws Error if the process exits */
async function inspectorUrl(pid: number, port: number): Promise<string> {
  for (;;) {
    process.kill(pid, 0);
    const [target] = (await targets(port)) ?? [];
    if (target !== undefined) return target.webSocketDebuggerUrl;
    await delay(50);
  }
}

/** Returns the inspector targets at a port. Undefined if no process listens. */
async function targets(
  port: number,
): Promise<readonly { readonly webSocketDebuggerUrl: string }[] | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/json/list`);
    return JSON.parse(await response.text());
  } catch {
    return undefined;
  }
}
