import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type Clock, type Logger, messageOf, withTimeout } from "@keelson/base";
import type { ListenerRequest, ListenerResponse, PeerAddress } from "@keelson/http";
import type { ServiceDatabase } from "@keelson/model";
import { SessionWatch } from "../sessions/session-watch.ts";
import type { ClusterEndpoint, ClusterEndpoints } from "./cluster-endpoints.ts";
import { responseHeaders } from "./forwarded-headers.ts";
import { findKubeconfigSession, type KubeconfigSession } from "./kubeconfig-session.ts";
import { ProxyAudit } from "./proxy-audit.ts";
import { proxyPath } from "./proxy-path.ts";
import { passOn, type Refusal, refuseUpgrade, upgradeHead } from "./raw-response.ts";
import { type RequestAttributes, requestAttributes } from "./request-attributes.ts";
import { forbidden, maySreAsk, sreUser } from "./sre-policy.ts";
import { type RequestHead, responseOf, send, sendUpgrade, upgradeOf } from "./upstream.ts";

export interface KubeconfigProxyOptions {
  readonly database: ServiceDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Maximum duration of exec, attach and port-forward in ms. Default: one hour. */
  readonly longestUpgradeMs?: number;
  readonly endpoints: ClusterEndpoints;
  /** Called after the authentication of each request, with the network address of the caller. */
  readonly authenticated: (peer: PeerAddress) => void;
}

const lookUpMs = 30_000;
const hourMs = 3_600_000;
/**
 * Status in the audit for a request that was aborted before its response. The client aborted it, or its session ended. The
 * cluster may have performed the request.
 */
const cutStatus = 499;
/**
 * Maximum number of concurrent requests per session. The limit is high, because kubectl opens one watch for each object that it
 * waits for.
 */
const mostRequests = 200;

interface Admitted {
  readonly session: KubeconfigSession;
  readonly attributes: RequestAttributes;
  readonly target: string;
  readonly endpoint: ClusterEndpoint;
}

/**
 * Forwards requests with the portal's kubeconfigs to clusters. Elevated requests use the service's credentials, and all other
 * requests use the SREs' user. The audit contains the person, the verb and the resource of each request.
 */
export class KubeconfigProxy implements Disposable {
  readonly #options: KubeconfigProxyOptions;
  readonly #sessions: SessionWatch;
  readonly #stopping = new AbortController();
  readonly #upgraded = new Set<Duplex>();
  readonly #audit: ProxyAudit;

  constructor(options: KubeconfigProxyOptions) {
    this.#options = options;
    this.#audit = new ProxyAudit(options.logger);
    this.#sessions = new SessionWatch(options);
  }

  /** True if the proxy must handle this URL. Case is ignored. */
  isFor(url: string): boolean {
    return /^\/subscriptions\/[^?#]*\/kubeconfig\/proxy(?:[/?]|$)/i.test(url);
  }

  /** Aborts requests that may run for a long time: upgrades, watches and followed logs. */
  stop(): void {
    this.#stopping.abort();
  }

  [Symbol.dispose](): void {
    this.stop();
    for (const socket of this.#upgraded) socket.destroy();
  }

  async respond(request: ListenerRequest, response: ListenerResponse): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const admitted = await this.#admit(request, gone.signal);
    if ("status" in admitted) {
      const { status, body, contentType } = admitted;
      response.writeHead(status, { "content-type": contentType }).end(body);
      return;
    }
    const release = this.#use(admitted, isLong(admitted.attributes, admitted.target), () => gone.abort());
    try {
      const upstream = await send(request, admitted);
      onAbort(gone.signal, () => upstream.destroy());
      const answer = await responseOf(upstream);
      this.#audit.served(request, admitted, answer.statusCode ?? 0);
      response.writeHead(answer.statusCode ?? 502, responseHeaders(answer.headers));
      await piped(answer, response);
    } catch (error) {
      if (!gone.signal.aborted) this.#failed(request, admitted, error);
      else if (!response.headersSent) this.#audit.served(request, admitted, cutStatus);
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(502, { "content-type": "text/plain; charset=utf-8" })
          .end("The cluster was not reached.\n");
    } finally {
      release();
    }
  }

  /** Forwards exec, attach and port-forward requests, which use SPDY or WebSocket over HTTP/1.1. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const gone = new AbortController();
    socket.on("error", () => socket.destroy());
    socket.once("close", () => gone.abort());
    const admitted = await this.#admit(request, gone.signal);
    if ("status" in admitted) return refuseUpgrade(socket, admitted);
    const release = this.#use(admitted, true, () => socket.destroy());
    if (socket.destroyed) release();
    else socket.once("close", release);
    try {
      const upstream = await sendUpgrade(request, admitted);
      onAbort(gone.signal, () => upstream.destroy());
      const [answer, other, otherHead] = await upgradeOf(upstream);
      this.#audit.served(request, admitted, answer.statusCode ?? 0);
      if (!other) return await passOn(answer, socket);
      socket.write(upgradeHead(answer));
      if (otherHead.length > 0) socket.write(otherHead);
      if (head.length > 0) other.write(head);
      this.#join(socket, other);
    } catch (error) {
      if (!gone.signal.aborted) this.#failed(request, admitted, error);
      else this.#audit.served(request, admitted, cutStatus);
      refuseUpgrade(socket, {
        status: 502,
        body: "The cluster was not reached.\n",
        contentType: "text/plain",
      });
    }
  }

  async #admit(request: RequestHead, gone: AbortSignal): Promise<Admitted | Refusal> {
    const signal = withTimeout(gone, lookUpMs);
    try {
      const session = await findKubeconfigSession(this.#options, request.headers.authorization, signal);
      if (!session) return this.#refused(request, 403, "the token is unknown, or has ended");
      this.#options.authenticated(request.socket);
      const path = proxyPath(request.url ?? "");
      if (path?.clusterId !== session.clusterId)
        return this.#refused(request, 400, "the path is not that of the token's cluster", session);
      if (this.#sessions.count(session.id) >= mostRequests)
        return this.#refused(request, 429, "the session has too many requests at once", session);
      const attributes = askedAttributes(request, path.target, session);
      if (!session.elevated && !maySreAsk(attributes)) {
        this.#audit.served(request, { session, attributes }, 403);
        return { status: 403, body: forbidden(attributes, sreUser), contentType: "application/json" };
      }
      const endpoint = this.#options.endpoints.get(session.cluster, session.elevated);
      return { session, attributes, target: path.target, endpoint };
    } catch (error) {
      if (!gone.aborted)
        this.#options.logger.warn({ reason: messageOf(error) }, "a request was not passed on");
      return textOf(500);
    }
  }

  /**
   * Registers that a request uses a session. Calls `end` when the session ends. For requests that may run for a long time, also
   * calls `end` when the portal stops.
   */
  #use({ session }: Admitted, isLongUse: boolean, end: () => void): () => void {
    const { ended, release } = this.#sessions.begin(session.id, session.elevatedUntil);
    const ends = isLongUse ? [ended, this.#stopping.signal] : [ended];
    const removals = ends.map((signal) => onAbort(signal, end));
    return () => {
      for (const remove of removals) remove();
      release();
    };
  }

  #join(socket: Duplex, other: Duplex): void {
    const { longestUpgradeMs = hourMs, clock } = this.#options;
    const both = [socket, other];
    const ended = new AbortController();
    const end = () => {
      ended.abort();
      for (const each of both) {
        this.#upgraded.delete(each);
        each.destroy();
      }
    };
    void clock.sleep(longestUpgradeMs, ended.signal).then(end, () => undefined);
    for (const each of both) {
      this.#upgraded.add(each);
      each.once("error", end).once("close", end);
    }
    if (socket.destroyed) {
      end();
      return;
    }
    socket.pipe(other);
    other.pipe(socket);
  }

  #refused(request: RequestHead, status: number, reason: string, session?: KubeconfigSession): Refusal {
    this.#audit.refused(request, status, reason, session);
    return textOf(status);
  }

  #failed(request: RequestHead, admitted: Admitted, error: unknown): void {
    this.#audit.served(request, admitted, 502);
    const { clusterId } = admitted.session;
    this.#options.logger.warn(
      { resourceId: clusterId, reason: messageOf(error) },
      "a cluster was not reached",
    );
  }
}

/**
 * Returns the attributes of a request for its authorization. If a session without elevation sends impersonation headers, the verb
 * is `impersonate`, regardless of the path. The SREs' user is not allowed to impersonate.
 */
function askedAttributes(
  { method = "", headers }: RequestHead,
  target: string,
  { elevated }: KubeconfigSession,
): RequestAttributes {
  const isImpersonation = Object.keys(headers).some((name) => name.startsWith("impersonate-"));
  if (elevated || !isImpersonation) return requestAttributes(method, target);
  const name = `${headers["impersonate-user"] ?? ""}`;
  return { kind: "resource", verb: "impersonate", group: "", resource: "users", name };
}

/**
 * Calls `listener` when the signal aborts, or immediately if it has already aborted. Returns a function that removes the
 * listener.
 */
function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

/** True if the response to the request may continue without end, like the response to a watch. */
function isLong(attributes: RequestAttributes, target: string): boolean {
  if (attributes.kind === "resource" && attributes.verb === "watch") return true;
  const [, query = ""] = target.split("?");
  const follow = new URLSearchParams(query).get("follow");
  return follow === "true" || follow === "1";
}

function textOf(status: number): Refusal {
  return { status, body: `${STATUS_CODES[status]}\n`, contentType: "text/plain; charset=utf-8" };
}

function piped(answer: IncomingMessage, response: ListenerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    answer.on("error", reject).once("aborted", () => reject(new Error("the answer broke off")));
    response.once("finish", resolve).once("close", resolve);
    // The response headers are sent immediately, because the response to a watch may begin without data. Over HTTP/2, they have
    // already been sent.
    if ("flushHeaders" in response && typeof response.flushHeaders === "function") response.flushHeaders();
    answer.pipe(response);
  });
}
