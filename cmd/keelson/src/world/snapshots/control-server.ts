import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { isCoded, type KeyPair, type Logger, messageOf, type Secret } from "@keelson/base";
import { extendReceiveLimits, keepAliveTimeoutMs, listen } from "@keelson/http";
import type { WorldControl } from "./world-control.ts";

export interface ControlServerOptions {
  readonly tls: KeyPair;
  /** Bearer token of all requests. */
  readonly token: Secret;
  readonly control: WorldControl;
  /** Port of the last start, which is used again if it is free. Undefined: a free port. */
  readonly port: number | undefined;
  readonly logger: Logger;
}

export interface ControlServer extends AsyncDisposable {
  /** Base URL of the control API. */
  readonly url: string;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const statuses: Readonly<Record<string, number>> = {
  SnapshotNameInvalid: 400,
  SnapshotNotFound: 404,
  SnapshotBusy: 409,
  SnapshotExists: 409,
};

/**
 * Starts the control API of an instance on a loopback port, over HTTPS. Paths: `/snapshots`, `/snapshots/{name}`,
 * `/snapshots/{name}/restore` and `/reset`. The control API also responds while the components restart.
 */
export async function startControlServer(options: ControlServerOptions): Promise<ControlServer> {
  const { tls, port: lastPort = 0 } = options;
  const server = createServer(
    { cert: tls.certificatePem, key: tls.privateKeyPem, keepAliveTimeout: keepAliveTimeoutMs },
    (request, response) => void handle(request, response, options),
  );
  extendReceiveLimits(server);
  const port = await listen(server, "127.0.0.1", lastPort).catch((error: unknown) => {
    if (lastPort === 0 || !isCoded(error) || error.code !== "EADDRINUSE") throw error;
    return listen(server, "127.0.0.1", 0);
  });
  return {
    url: `https://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { token, control, logger }: ControlServerOptions,
): Promise<void> {
  response.on("error", () => undefined);
  const { status, body } = isAuthorized(request.headers.authorization, token)
    ? await reply(request, control).catch((error: unknown): Reply => {
        const known = isCoded(error) ? statuses[error.code] : undefined;
        if (known === undefined) logger.error({ error: messageOf(error) }, "control request failed");
        return { status: known ?? 500, body: { error: messageOf(error) } };
      })
    : { status: 401, body: { error: "The bearer token is missing or wrong." } };
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(`${JSON.stringify(body)}\n`);
}

async function reply(request: IncomingMessage, control: WorldControl): Promise<Reply> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "https://localhost");
  const [collection, name, action, ...others] = pathname.split("/").slice(1);
  const route = `${request.method} ${collection}${name === undefined ? "" : "/{name}"}${action === undefined ? "" : `/${action}`}`;
  const target = name ?? "";
  if (others.length === 0)
    switch (route) {
      case "GET snapshots":
        return { status: 200, body: { items: await control.list() } };
      case "PUT snapshots/{name}": {
        const replace = searchParams.get("replace") === "true";
        return { status: 200, body: await control.save(target, { replace }) };
      }
      case "DELETE snapshots/{name}":
        return { status: 200, body: await control.remove(target) };
      case "POST snapshots/{name}/restore":
        return { status: 200, body: await control.restore(target) };
      case "POST reset":
        return { status: 200, body: await control.reset() };
      default:
    }
  return { status: 404, body: { error: `There is no ${request.method} ${pathname}.` } };
}

function isAuthorized(header: string | undefined, token: Secret): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(header ?? ""), digest(`Bearer ${token.reveal()}`));
}
