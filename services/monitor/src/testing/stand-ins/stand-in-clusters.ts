import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { TLSSocket } from "node:tls";
import { createCertificateAuthority, issueCertificate, stringAt } from "@keelson/base";
import { type WebSocket, WebSocketServer } from "ws";
import { type Content, clusterContent, isList } from "./cluster-content.ts";
import type { StandIn } from "./stand-in.ts";

export interface StandInCounts {
  readonly requests: number;
  readonly bytes: number;
  readonly connections: number;
}

export interface StandInRequest {
  /** Number of the cluster that the request is for. */
  readonly cluster: number;
  /** Path after the cluster's path prefix, including the query. */
  readonly path: string;
  /** Cipher suite of the connection, by which the test identifies the client. */
  readonly cipher: string;
}

export interface StandInClusters extends AsyncDisposable, StandIn {
  /** Returns the numbers of requests and responses since the start. */
  counts(): StandInCounts;
}

const alerts = JSON.stringify(
  Array.from({ length: 6 }, (_, at) => ({
    labels: { alertname: `Alert${at}`, namespace: "openshift-monitoring", severity: "warning" },
    annotations: { description: "a sentence or two about the problem and its effect on the cluster" },
    startsAt: "2026-01-01T00:00:00Z",
  })),
);

/**
 * Starts an HTTPS server that simulates any number of clusters. Each cluster has its own path. The prepared responses are as
 * large as real responses. If `onRequest` returns a promise, the server responds after the promise resolves.
 */
export async function startStandInClusters(
  onRequest: (request: StandInRequest) => void | Promise<void> = () => undefined,
): Promise<StandInClusters> {
  const content = clusterContent();
  const pages = new Map<string, Buffer | undefined>();
  const counts = { requests: 0, bytes: 0, connections: 0 };
  const take = (url: string, socket: object): { path: string; held: void | Promise<void> } => {
    counts.requests++;
    const [, cluster = "", path = ""] = /^\/clusters\/(\d+)(\/.*)$/.exec(url) ?? [];
    const cipher = socket instanceof TLSSocket ? socket.getCipher().standardName : "";
    return { path, held: onRequest({ cluster: Number(cluster), path, cipher }) };
  };
  const answer = async (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const { path, held } = take(request.url, request.socket);
    if (held) await held;
    if (!pages.has(path)) pages.set(path, pageOf(content, path));
    const body = pages.get(path);
    counts.bytes += body?.length ?? missing.length;
    response.writeHead(body ? 200 : 404, { "content-type": "application/json" });
    response.end(body ?? missing);
  };
  const authority = await createCertificateAuthority("stand-in-signer", 2);
  const own = await issueCertificate(authority, {
    commonName: "stand-in",
    ipAddresses: ["127.0.0.1"],
    usage: "server",
    validDays: 2,
  });
  const client = await issueCertificate(authority, { commonName: "service", usage: "client", validDays: 2 });
  const tls = {
    cert: own.certificatePem,
    key: own.privateKeyPem,
    ca: authority.certificatePem,
    requestCert: true,
  };
  const server = createSecureServer(
    { ...tls, rejectUnauthorized: false, allowHTTP1: true },
    (request, response) => {
      void answer(request, response);
    },
  );
  const sockets = new Set<TLSSocket>();
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  server.on("secureConnection", (socket: TLSSocket) => {
    counts.connections++;
    sockets.add(socket);
    // If the client is killed, its connection is reset. This is not an error.
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("sessionError", () => undefined);
  const forwards = new WebSocketServer({ noServer: true, handleProtocols: () => "v4.channel.k8s.io" });
  server.on("upgrade", async (request, socket, head) => {
    const { held } = take(request.url, socket);
    if (held) await held;
    forwards.handleUpgrade(request, socket, head, (opened) => {
      counts.bytes += serveAlerts(opened);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 4_096, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    caPem: authority.certificatePem,
    clientCertificatePem: client.certificatePem,
    clientKeyPem: client.privateKeyPem,
    counts: () => ({ ...counts }),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const missing = Buffer.from(
  JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", reason: "NotFound", code: 404 }),
);

function pageOf(content: Content, path: string): Buffer | undefined {
  if (path.startsWith("/healthz")) return Buffer.from("ok");
  const url = new URL(path, "https://cluster");
  const found = content.get(url.pathname);
  if (!found) return undefined;
  if (!isList(found)) return Buffer.from(JSON.stringify(found));
  const all =
    url.searchParams.get("fieldSelector") === "status.phase!=Succeeded"
      ? found.items.filter((each) => stringAt(each, "status", "phase") !== "Succeeded")
      : found.items;
  const first = Number(url.searchParams.get("continue") ?? 0);
  const limit = Number(url.searchParams.get("limit") ?? all.length);
  const items = all.slice(first, first + limit);
  const left = all.length - first - items.length;
  const more = left > 0 ? { continue: `${first + limit}`, remainingItemCount: left } : {};
  return Buffer.from(JSON.stringify({ ...found, metadata: { resourceVersion: "1", ...more }, items }));
}

/** Simulates Alertmanager for a port-forward request. */
function serveAlerts(socket: WebSocket): number {
  const text = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${alerts.length}\r\nconnection: close\r\n\r\n${alerts}`;
  const port = [9093 & 0xff, 9093 >> 8];
  for (const channel of [0, 1]) socket.send(Buffer.from([channel, ...port]));
  socket.once("message", () => socket.send(Buffer.concat([Buffer.of(0), Buffer.from(text)])));
  socket.on("error", () => undefined);
  return text.length;
}
