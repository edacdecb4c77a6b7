import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { Duplex } from "node:stream";
import {
  isCoded,
  type KeyPair,
  type Logger,
  listAt,
  messageOf,
  type Secret,
  stringAt,
  systemClock,
  withTimeout,
} from "@keelson/base";
import { extendReceiveLimits, keepAliveTimeoutMs, listen } from "@keelson/http";
import { errors } from "../base/errors.ts";
import type { BootProblems } from "../boot/boot-problems.ts";
import { parseFault } from "../faults/fault.ts";
import { faultKinds } from "../faults/fault-kinds.ts";
import { FaultRegistry } from "../faults/fault-registry.ts";
import { parseImageRule } from "../kubelet/processes/image-rule.ts";
import { ImageRules } from "../kubelet/processes/image-rules.ts";
import { getFromAdmin } from "../processes/admin-request.ts";
import type { AdminEndpoint } from "../processes/cluster-share.ts";
import { SettingsFeed } from "../processes/settings-feed.ts";
import { parseUpdateGraph } from "../updates/update-graph.ts";
import { UpdateSource } from "../updates/update-source.ts";
import { type ConnectMachine, connectUpgraded } from "./machine-upgrade.ts";

export interface AdminServerOptions {
  /** Listen address. It must be a loopback address because clients control the simulated clusters. */
  readonly host: string;
  /** Listen port. 0 selects a free port. */
  readonly port: number;
  readonly tls: KeyPair;
  /** Bearer token required for every request. */
  readonly token: Secret;
}

interface AdminDeps {
  readonly faults: FaultRegistry;
  readonly bootProblems: Pick<BootProblems, "list">;
  readonly updates: UpdateSource;
  readonly imageRules: ImageRules;
  /** Connects to a machine port. `undefined` if the port is closed. */
  readonly connectMachine: ConnectMachine;
  /** True if a cluster of this process serves the host name. */
  readonly serves: (serverName: string) => boolean;
  /** Publishes changed settings to other processes. Undefined if a different process manages the settings. */
  readonly feed: SettingsFeed | undefined;
  /** Administration servers of other processes. */
  readonly others: readonly AdminEndpoint[];
  readonly logger: Logger;
}

/** Starts an administration server without clusters. Client tests use it. */
export function startSimulationAdmin(options: AdminServerOptions, logger: Logger): Promise<AdminServer> {
  const faults = new FaultRegistry(systemClock);
  const updates = new UpdateSource();
  const imageRules = new ImageRules();
  return startAdminServer(options, {
    faults,
    updates,
    imageRules,
    bootProblems: { list: () => [] },
    serves: () => false,
    feed: new SettingsFeed({ faults, updates, imageRules }, systemClock),
    others: [],
    connectMachine: () => undefined,
    logger,
  });
}

export interface AdminServer extends AsyncDisposable {
  readonly port: number;
}

interface Response {
  readonly status: number;
  readonly body: unknown;
}

/** Error codes caused by an invalid request. */
const invalid = ["InvalidFault", "InvalidImageRule", "InvalidUpdateGraph"];
const maxBodyBytes = 1_024 * 1_024;

/**
 * Starts the simulation's administration API over HTTPS. Resolves when the server listens. Paths: `/faults`, `/faults/{id}`,
 * `/faults/kinds`, `/images`, `/updates` and `/machines`. A request to `/machines` is upgraded to a machine connection. The other
 * processes of simulated clusters use `/settings` and `/names/{name}`.
 */
export async function startAdminServer(options: AdminServerOptions, deps: AdminDeps): Promise<AdminServer> {
  const { host, port, tls, token } = options;
  const server = createServer(
    {
      cert: tls.certificatePem,
      key: tls.privateKeyPem,
      minVersion: "TLSv1.2",
      requestTimeout: 30_000,
      keepAliveTimeout: keepAliveTimeoutMs,
    },
    (request, response) => void handle(request, response, token, deps),
  );
  extendReceiveLimits(server);
  const upgraded = new Set<Duplex>();
  server.on("upgrade", (request, socket: Duplex, head: Buffer) => {
    upgraded.add(socket);
    socket.once("close", () => upgraded.delete(socket));
    const isAuthorized = opens(request.headers.authorization, token);
    connectUpgraded({ request, socket, head }, isAuthorized, deps.connectMachine);
  });
  return {
    port: await listen(server, host, port),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
      await closed;
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  token: Secret,
  deps: AdminDeps,
): Promise<void> {
  response.on("error", () => undefined);
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const { status, body } = await answer(request, token, deps, gone.signal).catch(
    (error: unknown): Response => {
      if (invalid.some((code) => isCoded(error, code)))
        return { status: 400, body: { error: messageOf(error) } };
      deps.logger.error({ error: messageOf(error) }, "administration of the simulated world failed");
      return { status: 500, body: { error: "the request failed" } };
    },
  );
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "content-length": Buffer.byteLength(text),
    ...(request.complete ? {} : { connection: "close" }),
  });
  response.end(text);
}

async function answer(
  request: IncomingMessage,
  token: Secret,
  deps: AdminDeps,
  signal: AbortSignal,
): Promise<Response> {
  if (!opens(request.headers.authorization, token))
    return { status: 401, body: { error: "a bearer token is needed" } };
  const { pathname, searchParams } = new URL(request.url ?? "/", "https://localhost");
  const { method = "GET" } = request;
  const { faults, imageRules, updates, feed } = deps;
  const route = `${method} ${pathname.replace(/^\/(faults|names)\/(?!kinds$)[^/]+$/, "/$1/*")}`;
  if (method !== "GET" && !feed)
    return {
      status: 409,
      body: { error: "the first process of the simulated clusters manages these settings" },
    };
  const published = async (response: Response): Promise<Response> => {
    await feed?.changed();
    return response;
  };
  switch (route) {
    case "GET /faults":
      return {
        status: 200,
        body: {
          items: [...faults.list(), ...deps.bootProblems.list(), ...(await otherBootProblems(deps, signal))],
        },
      };
    case "GET /settings":
      if (!feed) break;
      return {
        status: 200,
        body: await feed.next(searchParams.get("process") ?? "", searchParams.get("revision"), signal),
      };
    case "GET /names/*":
      if (!deps.serves(decodeURIComponent(pathname.slice("/names/".length)))) break;
      return { status: 200, body: {} };
    case "GET /faults/kinds":
      return { status: 200, body: faultKinds };
    case "POST /faults":
      return published({ status: 201, body: faults.set(parseFault(await readJson(request))) });
    case "DELETE /faults":
      return published({ status: 200, body: { items: faults.clear() } });
    case "DELETE /faults/*": {
      const id = decodeURIComponent(pathname.slice("/faults/".length));
      const items = faults.clear(id);
      if (items.length > 0) return published({ status: 200, body: { items } });
      return { status: 404, body: { error: `there is no fault ${id}` } };
    }
    case "GET /images":
      return { status: 200, body: { items: imageRules.list() } };
    case "POST /images":
      return published({ status: 201, body: imageRules.set(parseImageRule(await readJson(request))) });
    case "DELETE /images": {
      const [prefix, cluster] = ["prefix", "cluster"].map((name) => searchParams.get(name) ?? undefined);
      const selected = {
        ...(prefix === undefined ? {} : { prefix }),
        ...(cluster === undefined ? {} : { cluster }),
      };
      return published({ status: 200, body: { items: imageRules.clear(selected) } });
    }
    case "GET /updates":
      return { status: 200, body: updates.graph ?? { nodes: [], edges: [] } };
    case "PUT /updates":
      updates.program(parseUpdateGraph(await readJson(request)));
      return published({ status: 200, body: updates.graph });
    case "DELETE /updates":
      updates.program(undefined);
      return published({ status: 200, body: { nodes: [], edges: [] } });
  }
  return { status: 404, body: { error: `there is no ${method} ${pathname}` } };
}

/** Time limit in milliseconds for a request to a different process of simulated clusters. */
const otherProcessMs = 5_000;

/** Returns the boot problems of all other processes. Processes that do not respond are omitted. */
async function otherBootProblems(
  { others, feed }: AdminDeps,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  // Only the first process queries the other processes. Otherwise, the processes would query each other endlessly.
  if (!feed) return [];
  const responses = await Promise.allSettled(
    others.map((each) => getFromAdmin(each, "/faults", withTimeout(signal, otherProcessMs))),
  );
  return responses
    .flatMap((each) => (each.status === "fulfilled" ? listAt(each.value, "items") : []))
    .filter((each) => stringAt(each, "kind") === "machine-boot");
}

/** True if the header contains the token. Compares in constant time for any length. */
function opens(authorization: string | undefined, token: Secret): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(authorization ?? ""), digest(`Bearer ${token.reveal()}`));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBodyBytes) throw errors.InvalidFault("the body is too large");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw errors.InvalidFault("the body is not JSON");
  }
}
