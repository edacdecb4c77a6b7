import { createServer, type Server } from "node:http";

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

interface Export {
  readonly resourceSpans?: readonly {
    readonly scopeSpans?: readonly { readonly spans?: readonly CollectedSpan[] }[];
  }[];
}

/** OTLP trace receiver (HTTP with JSON). Stores the received spans. */
export class TraceCollector implements AsyncDisposable {
  readonly spans: CollectedSpan[] = [];
  readonly #server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { resourceSpans = [] }: Export = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    for (const { scopeSpans = [] } of resourceSpans)
      for (const { spans = [] } of scopeSpans) this.spans.push(...spans);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });

  /** Starts listening. Resolves to the URL that receives traces. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/v1/traces`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
