import { createServer } from "node:http";

interface Point {
  readonly asDouble?: number;
  readonly attributes?: readonly Attribute[];
  readonly bucketCounts?: readonly number[];
  readonly startTimeUnixNano?: unknown;
  readonly timeUnixNano?: unknown;
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

interface Points {
  readonly dataPoints?: readonly Point[];
}

interface ReceivedMetric {
  readonly name: string;
  readonly gauge?: Points;
  readonly sum?: Points & { readonly isMonotonic: boolean; readonly aggregationTemporality: number };
  readonly histogram?: Points;
}

/** Metrics request in protobuf's JSON format, as defined in https://github.com/open-telemetry/opentelemetry-proto. */
interface MetricsRequest {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeMetrics: readonly { readonly metrics: readonly ReceivedMetric[] }[];
  }[];
}

export interface Collector extends AsyncDisposable {
  readonly url: string;
  /** Returns the request bodies that were sent to a path. */
  bodies(path: string): readonly unknown[];
  metrics(
    path: string,
  ): readonly { readonly metric: ReceivedMetric; readonly resource: readonly Attribute[] }[];
  /** Sets the HTTP status of later responses. */
  respondWith(status: number): void;
}

/** Starts a server that accepts OTLP over HTTP in JSON and records the requests. */
export async function startCollector(): Promise<Collector> {
  const received: { readonly path: string; readonly body: unknown }[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const isJson = request.method === "POST" && request.headers["content-type"] === "application/json";
    if (isJson && status === 200)
      received.push({ path: request.url ?? "", body: JSON.parse(`${Buffer.concat(chunks)}`) });
    response.writeHead(isJson ? status : 415, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const bodies = (path: string) => received.filter((each) => each.path === path).map(({ body }) => body);
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    bodies,
    metrics: (path) =>
      bodies(path).flatMap((body) =>
        (body as MetricsRequest).resourceMetrics.flatMap(({ resource, scopeMetrics }) =>
          scopeMetrics.flatMap(({ metrics }) =>
            metrics.map((metric) => ({ metric, resource: resource.attributes })),
          ),
        ),
      ),
    respondWith(next) {
      status = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
