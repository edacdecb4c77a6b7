import { type Clock, type KeyPair, type Logger, messageOf } from "@keelson/base";
import type { ServiceDatabase } from "@keelson/model";
import { type PortalRequest, type PortalResponse, PortalServer } from "./http/portal-server.ts";
import { KubeconfigProxy } from "./kubeconfig/kubeconfig-proxy.ts";

export interface PortalOptions {
  readonly database: ServiceDatabase;
  /** The certificate that clients see. */
  readonly tls: KeyPair;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** After which exec, attach and port-forward are cut; an hour when absent. */
  readonly longestUpgradeMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A listening portal. Disposal ends its connections. */
export interface Portal extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Serves another certificate to new connections. */
  useCertificate(tls: KeyPair): void;
}

const readinessMs = 5_000;

/** Rejects when the address cannot be had. */
export async function startPortal(options: PortalOptions): Promise<Portal> {
  await using stack = new AsyncDisposableStack();
  const { database, tls, host, port, logger } = options;
  const proxy = stack.use(new KubeconfigProxy(options));
  const failed = (error: unknown) => logger.error({ error: messageOf(error) }, "a request broke");
  const server = stack.use(
    new PortalServer(tls, {
      request(request, response) {
        response.setHeader("x-content-type-options", "nosniff");
        const url = request.url ?? "";
        if (proxy.isFor(url)) proxy.answer(request, response).catch(failed);
        else answerOthers(database, request, response).catch(failed);
      },
      upgrade(request, socket, head) {
        if (proxy.isFor(request.url ?? "")) proxy.upgrade(request, socket, head).catch(failed);
        else socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
      },
    }),
  );
  await server.listen(host, port);
  const kept = stack.move();
  return {
    url: `https://localhost:${server.port}`,
    port: server.port,
    useCertificate: (pair) => server.useCertificate(pair),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Readiness; nothing else is there. */
async function answerOthers(
  database: ServiceDatabase,
  request: PortalRequest,
  response: PortalResponse,
): Promise<void> {
  request.resume();
  const [path = ""] = (request.url ?? "").toLowerCase().split("?");
  if (path !== "/healthz/ready") response.writeHead(404).end();
  else if (request.method !== "GET" && request.method !== "HEAD")
    response.writeHead(405, { allow: "GET, HEAD" }).end();
  else response.writeHead((await isReady(database)) ? 200 : 500).end();
}

function isReady(database: ServiceDatabase): Promise<boolean> {
  return database.ping(AbortSignal.timeout(readinessMs)).then(
    () => true,
    () => false,
  );
}
