import type { SecureContextOptions } from "node:tls";
import { http1Only, httpConnectTimeoutMs } from "@keelson/base";
import type { Dispatcher, Pool } from "undici";
import type { Response } from "./http2-client.ts";

/** HTTP/1.1 connections to a server without HTTP/2. The HTTP/1.1 client is loaded for the first request. */
export class Http1Connections implements AsyncDisposable {
  readonly #origin: string;
  readonly #tls: SecureContextOptions;
  #pools: Promise<{ readonly whole: Pool; readonly streams: Pool }> | undefined;

  constructor(origin: string, tls: SecureContextOptions) {
    this.#origin = origin;
    this.#tls = tls;
  }

  /**
   * Sends a request. Use the kind `whole` for responses that finish soon. Use `streams` for responses that occupy their
   * connection for minutes, because the number of these connections is not limited.
   */
  async request(
    kind: "whole" | "streams",
    options: Dispatcher.RequestOptions & Dispatcher.DispatchOptions,
  ): Promise<Response> {
    this.#pools ??= this.#open();
    return (await this.#pools)[kind].request(options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pools = await this.#pools;
    await Promise.all([pools?.whole.destroy(), pools?.streams.destroy()]);
  }

  async #open() {
    const { Pool } = await import("undici");
    const options = { ...http1Only, connect: { timeout: httpConnectTimeoutMs, ...this.#tls } };
    return {
      whole: new Pool(this.#origin, { ...options, connections: 16, keepAliveTimeout: 30_000 }),
      streams: new Pool(this.#origin, options),
    };
  }
}
