import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import { type Clock, type Logger, messageOf, withTimeout } from "@keelson/base";
import type { ServiceDatabase } from "@keelson/model";
import type { PortalRequest, PortalResponse } from "../http/portal-server.ts";
import { type ClusterEndpoint, ClusterEndpoints } from "./cluster-endpoints.ts";
import { answerHeaders, requestHeaders } from "./forwarded-headers.ts";
import { findKubeconfigSession, type KubeconfigSession } from "./kubeconfig-session.ts";
import { proxyPath } from "./proxy-path.ts";
import { type RequestAttributes, requestAttributes } from "./request-attributes.ts";
import { forbidden, maySreAsk, sreUser } from "./sre-policy.ts";

export interface KubeconfigProxyOptions {
  readonly database: ServiceDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  /** After which exec, attach and port-forward are cut; an hour when absent. */
  readonly longestUpgradeMs?: number;
}

const lookUpMs = 30_000;
const hourMs = 3_600_000;
/** Of one session at once: kubectl opens a watch for each object it waits for. */
const mostRequests = 200;

/** What both kinds of requests have. */
interface RequestHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

interface Admitted {
  readonly session: KubeconfigSession;
  readonly attributes: RequestAttributes;
  readonly target: string;
  readonly endpoint: ClusterEndpoint;
}

interface Refusal {
  readonly status: number;
  readonly body: string;
  readonly contentType: string;
}

/**
 * Passes requests through kubeconfigs of the portal on to clusters: with elevation as the service, else as the SREs' user. Each is
 * one line of the audit, with the person, the verb and the resource.
 */
export class KubeconfigProxy implements Disposable {
  readonly #options: KubeconfigProxyOptions;
  readonly #endpoints: ClusterEndpoints;
  readonly #running = new Map<string, number>();
  readonly #upgraded = new Set<Duplex>();

  constructor(options: KubeconfigProxyOptions) {
    this.#options = options;
    this.#endpoints = new ClusterEndpoints(options.clock);
  }

  /** Whether the request is one for this proxy, in whatever spelling. */
  isFor(url: string): boolean {
    return /^\/subscriptions\/[^?#]*\/kubeconfig\/proxy(?:[/?]|$)/i.test(url);
  }

  [Symbol.dispose](): void {
    for (const socket of this.#upgraded) socket.destroy();
    this.#endpoints[Symbol.dispose]();
  }

  async answer(request: PortalRequest, response: PortalResponse): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const admitted = await this.#admit(request, gone.signal);
    if ("status" in admitted) {
      const { status, body, contentType } = admitted;
      response.writeHead(status, { "content-type": contentType }).end(body);
      return;
    }
    const release = this.#begin(admitted.session);
    try {
      const upstream = await this.#send(request, admitted, {});
      gone.signal.addEventListener("abort", () => upstream.destroy());
      request.pipe(upstream);
      const answer = await responseOf(upstream);
      this.#audit(request, admitted, answer.statusCode ?? 0);
      response.writeHead(answer.statusCode ?? 502, answerHeaders(answer.headers));
      await piped(answer, response);
    } catch (error) {
      if (!gone.signal.aborted) this.#failed(request, admitted, error);
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(502, { "content-type": "text/plain; charset=utf-8" })
          .end("The cluster was not reached.\n");
    } finally {
      release();
    }
  }

  /** Exec, attach, port-forward: by SPDY or WebSocket, over HTTP/1.1. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const gone = new AbortController();
    socket.on("error", () => socket.destroy());
    socket.once("close", () => gone.abort());
    const admitted = await this.#admit(request, gone.signal);
    if ("status" in admitted) return refuseUpgrade(socket, admitted);
    const { upgrade = "" } = request.headers;
    const release = this.#begin(admitted.session);
    socket.once("close", release);
    try {
      const upstream = await this.#send(request, admitted, { connection: "Upgrade", upgrade });
      gone.signal.addEventListener("abort", () => upstream.destroy());
      upstream.end();
      const [answer, other, otherHead] = await upgradeOf(upstream);
      this.#audit(request, admitted, answer.statusCode ?? 0);
      if (!other) return await passOn(answer, socket);
      socket.write(headOf(answer, { connection: "Upgrade", upgrade: `${answer.headers.upgrade}` }));
      if (otherHead.length > 0) socket.write(otherHead);
      if (head.length > 0) other.write(head);
      this.#join(socket, other);
    } catch (error) {
      if (!gone.signal.aborted) this.#failed(request, admitted, error);
      refuseUpgrade(socket, {
        status: 502,
        body: "The cluster was not reached.\n",
        contentType: "text/plain",
      });
    }
  }

  async #admit(request: RequestHead, gone: AbortSignal): Promise<Admitted | Refusal> {
    const signal = withTimeout(gone, lookUpMs);
    const { database } = this.#options;
    try {
      const session = await findKubeconfigSession(database, request.headers.authorization, signal);
      if (!session) return this.#refuse(request, 403, "the token is unknown, or has ended");
      const path = proxyPath(request.url ?? "");
      if (path?.clusterId !== session.clusterId)
        return this.#refuse(request, 400, "the path is not that of the token's cluster", session);
      if ((this.#running.get(session.id) ?? 0) >= mostRequests)
        return this.#refuse(request, 429, "the session has too many requests at once", session);
      const attributes = requestAttributes(request.method ?? "", path.target);
      if (!session.elevated && !maySreAsk(attributes)) {
        this.#audit(request, { session, attributes }, 403);
        return { status: 403, body: forbidden(attributes, sreUser), contentType: "application/json" };
      }
      const endpoint = await this.#endpointOf(session, signal);
      return { session, attributes, target: path.target, endpoint };
    } catch (error) {
      if (!gone.aborted)
        this.#options.logger.warn({ reason: messageOf(error) }, "a request was not passed on");
      return textOf(500);
    }
  }

  async #endpointOf(
    { clusterId, elevated }: KubeconfigSession,
    signal: AbortSignal,
  ): Promise<ClusterEndpoint> {
    const subscription = clusterId.split("/")[2] ?? "";
    const { clusters } = this.#options.database.collections;
    const stored = await clusters.findBy(subscription, "key", clusterId, signal);
    if (!stored) throw new Error(`there is no cluster ${clusterId}`);
    return this.#endpoints.get(stored.document, elevated);
  }

  async #send(
    request: RequestHead,
    { endpoint, target }: Admitted,
    more: Readonly<Record<string, string>>,
  ): Promise<ClientRequest> {
    const { origin, basePath, agent } = endpoint;
    const own = await endpoint.headers();
    return httpsRequest(`${origin}${basePath}${target}`, {
      method: request.method ?? "GET",
      agent,
      headers: { ...requestHeaders(request.headers), ...own, ...more },
    });
  }

  #begin({ id }: KubeconfigSession): () => void {
    this.#running.set(id, (this.#running.get(id) ?? 0) + 1);
    return () => {
      const left = (this.#running.get(id) ?? 1) - 1;
      if (left > 0) this.#running.set(id, left);
      else this.#running.delete(id);
    };
  }

  #join(socket: Duplex, other: Duplex): void {
    const { longestUpgradeMs = hourMs } = this.#options;
    const both = [socket, other];
    const end = () => {
      clearTimeout(limit);
      for (const each of both) {
        this.#upgraded.delete(each);
        each.destroy();
      }
    };
    const limit = setTimeout(end, longestUpgradeMs);
    limit.unref();
    for (const each of both) {
      this.#upgraded.add(each);
      each.once("error", end).once("close", end);
    }
    socket.pipe(other);
    other.pipe(socket);
  }

  #refuse(request: RequestHead, status: number, reason: string, session?: KubeconfigSession): Refusal {
    this.#options.logger.info(
      {
        logKind: "audit",
        operation: `${request.method} kubeconfig/proxy`,
        caller: session?.username,
        session: session?.id,
        status,
        result: "Fail",
        reason,
      },
      "request refused",
    );
    return textOf(status);
  }

  #audit(
    request: RequestHead,
    { session, attributes }: Pick<Admitted, "session" | "attributes">,
    status: number,
  ): void {
    const { username, id, clusterId, elevated } = session;
    this.#options.logger.info(
      {
        logKind: "audit",
        operation: `${request.method} kubeconfig/proxy`,
        caller: username,
        session: id,
        target: clusterId,
        elevated,
        request: attributes,
        impersonates: request.headers["impersonate-user"],
        userAgent: request.headers["user-agent"],
        status,
        result: status < 400 ? "Success" : "Fail",
      },
      "request served",
    );
  }

  #failed(request: RequestHead, admitted: Admitted, error: unknown): void {
    this.#audit(request, admitted, 502);
    const { clusterId } = admitted.session;
    this.#options.logger.warn(
      { resourceId: clusterId, reason: messageOf(error) },
      "a cluster was not reached",
    );
  }
}

function textOf(status: number): Refusal {
  return { status, body: `${STATUS_CODES[status]}\n`, contentType: "text/plain; charset=utf-8" };
}

function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => request.once("response", resolve).once("error", reject));
}

/** Its answer, and where it is an upgrade the connection with what came behind its head. */
function upgradeOf(request: ClientRequest): Promise<readonly [IncomingMessage, Duplex | undefined, Buffer]> {
  return new Promise((resolve, reject) =>
    request
      .once("upgrade", (answer, socket, head) => resolve([answer, socket, head]))
      .once("response", (answer) => resolve([answer, undefined, Buffer.alloc(0)]))
      .once("error", reject),
  );
}

function piped(answer: IncomingMessage, response: PortalResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    answer.once("error", reject).once("aborted", () => reject(new Error("the answer broke off")));
    response.once("finish", resolve).once("close", resolve);
    // Watches begin with an answer that has no byte yet; over HTTP/2 its head is sent already.
    if ("flushHeaders" in response && typeof response.flushHeaders === "function") response.flushHeaders();
    answer.pipe(response);
  });
}

function headOf(
  { statusCode = 0, statusMessage, headers }: IncomingMessage,
  more: Readonly<Record<string, string>>,
): string {
  const lines = Object.entries({ ...answerHeaders(headers), ...more }).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}: ${each}\r\n`),
  );
  return `HTTP/1.1 ${statusCode} ${statusMessage ?? ""}\r\n${lines.join("")}\r\n`;
}

/** An answer of the cluster that is no upgrade. */
async function passOn(answer: IncomingMessage, socket: Duplex): Promise<void> {
  const { "content-length": _, ...headers } = answer.headers;
  socket.write(headOf(Object.assign(answer, { headers }), { connection: "close" }));
  answer.pipe(socket);
}

function refuseUpgrade(socket: Duplex, { status, body, contentType }: Refusal): void {
  if (socket.destroyed) return;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${contentType}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
