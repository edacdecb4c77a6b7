import type { WorldProcesses } from "./world-control.ts";

/**
 * Simulators of `keelson sim`, which run in this process. A pause stops and later restarts them, because they cannot be suspended
 * like separate processes.
 */
export class EmbeddedWorld implements WorldProcesses, AsyncDisposable {
  readonly #open: () => Promise<AsyncDisposable>;
  #running: AsyncDisposable | undefined;

  /** `open` starts the simulators. Disposal of its result stops them. */
  constructor(open: () => Promise<AsyncDisposable>) {
    this.#open = open;
  }

  async prepare(): Promise<void> {}

  async discard(): Promise<void> {}

  async pause(): Promise<AsyncDisposable> {
    await this.stop();
    return { [Symbol.asyncDispose]: () => this.start() };
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.[Symbol.asyncDispose]();
  }

  async start(): Promise<void> {
    this.#running = await this.#open();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
