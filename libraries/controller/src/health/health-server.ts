import { createServer } from "node:http";
import { messageOf, startTimeLimit } from "@keelson/base";
import { extendReceiveLimits, keepAliveTimeoutMs, listen } from "@keelson/http";

/** Throws if the check fails. The message is for operators and must not contain secrets. */
export type HealthCheck = () => void | Promise<void>;

export interface HealthServerOptions {
  readonly host: string;
  /** Port to listen on. 0 selects a free port. */
  readonly port: number;
  /** Checks of `GET /healthz`. If one fails, the kubelet should restart the process. */
  readonly live: Readonly<Record<string, HealthCheck>>;
  /** Checks of `GET /readyz`. If one fails, the process should not receive requests. */
  readonly ready: Readonly<Record<string, HealthCheck>>;
}

export interface HealthServer extends AsyncDisposable {
  readonly port: number;
}

const checkTimeoutMs = 5_000;

/**
 * Serves health endpoints over plain HTTP, like controller-runtime. `/healthz` and `/readyz` return `ok` or status 500. After a
 * failure or with `?verbose`, the response has one line per check. `/healthz/NAME` and `/readyz/NAME` run one check.
 */
export async function serveHealth({ host, port, live, ready }: HealthServerOptions): Promise<HealthServer> {
  const groups: Readonly<Record<string, Readonly<Record<string, HealthCheck>>>> = {
    healthz: live,
    readyz: ready,
  };
  const server = createServer(async (request, response) => {
    const url = URL.parse(request.url ?? "/", "http://localhost");
    const [, group = "", name, ...rest] = url?.pathname.split("/") ?? [];
    const checks = Object.hasOwn(groups, group) && rest.length === 0 ? groups[group] : undefined;
    const chosen = name === undefined || name === "" ? checks : only(checks, name);
    if (!chosen) return void response.writeHead(404).end();
    if (request.method !== "GET" && request.method !== "HEAD") return void response.writeHead(405).end();
    const lines = await Promise.all(Object.entries(chosen).map(([each, check]) => run(each, check)));
    const isWell = lines.every((line) => line.startsWith("[+]"));
    const verdict = `${group} check ${isWell ? "passed" : "failed"}`;
    const body = isWell && !url?.searchParams.has("verbose") ? "ok" : `${[...lines, verdict].join("\n")}\n`;
    response.writeHead(isWell ? 200 : 500, { "content-type": "text/plain; charset=utf-8" }).end(body);
  });
  server.requestTimeout = 10_000;
  server.keepAliveTimeout = keepAliveTimeoutMs;
  extendReceiveLimits(server);
  return {
    port: await listen(server, host, port),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function only(
  checks: Readonly<Record<string, HealthCheck>> | undefined,
  name: string,
): Readonly<Record<string, HealthCheck>> | undefined {
  const check = checks && Object.hasOwn(checks, name) ? checks[name] : undefined;
  return check && { [name]: check };
}

async function run(name: string, check: HealthCheck): Promise<string> {
  const { promise, reject } = Promise.withResolvers<never>();
  using _ = startTimeLimit(checkTimeoutMs, () =>
    reject(new Error(`did not answer within ${checkTimeoutMs} ms`)),
  );
  try {
    await Promise.race([promise, check()]);
    return `[+]${name} ok`;
  } catch (error) {
    return `[-]${name} failed: ${messageOf(error)}`;
  }
}
