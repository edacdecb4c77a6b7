import { messageOf } from "@keelson/base";
import { HttpsListener, type PeerAddress } from "@keelson/http";
import { OneTimeLinks } from "./access/one-time-links.ts";
import { Sessions } from "./access/sessions.ts";
import type { ConsoleOptions } from "./console-options.ts";
import { Pipeline } from "./http/pipeline.ts";

/** Running console. Disposal closes its connections. */
export interface Console extends AsyncDisposable {
  readonly port: number;
}

const headersMs = 10_000;
const requestMs = 60_000;

/**
 * Starts the console's listener. Routes, pages and the connection to the simulation are loaded at the first request. Rejects if
 * the address is not available.
 */
export async function startConsole(options: ConsoleOptions): Promise<Console> {
  const { host, port, tls, clock, logger } = options;
  await using stack = new AsyncDisposableStack();
  const links = new OneTimeLinks(clock);
  const sessions = new Sessions(clock);
  const stopping = new AbortController();
  let pipeline: Pipeline | undefined;
  const failed = (error: unknown) =>
    logger.error({ error: messageOf(error) }, "a response of the console failed");
  const listener = stack.use(
    new HttpsListener({ tls, limits: { clock }, headersMs, requestMs }, (request, response) => {
      pipeline?.response(request, response).catch(failed);
    }),
  );
  await listener.listen(host, port);
  stack.defer(() => stopping.abort());
  pipeline = new Pipeline({
    routes: async () => {
      const { consoleRoutes } = await import("./console-routes.ts");
      return consoleRoutes({ ...options, links, sessions, port: listener.port });
    },
    port: listener.port,
    sessions,
    controlToken: options.controlToken,
    authenticated: (peer: PeerAddress) => listener.authenticated(peer),
    logger,
    stopping: stopping.signal,
  });
  const running = stack.move();
  return { port: listener.port, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
