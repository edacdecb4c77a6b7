/** A process that stands in for any number of clusters: one HTTPS server, a path below it for each. Prints where it is. */
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import { type WebSocket, WebSocketServer } from "ws";
import { type Content, clusterContent, isList } from "./cluster-content.ts";
import type { StandIn } from "./stand-in-kubeconfig.ts";

export interface StandInCounts {
  readonly requests: number;
  readonly bytes: number;
  readonly connections: number;
}

/** The one member of the address that is not a cluster's. */
export const countsPath = "/counts";

const alerts = JSON.stringify(
  Array.from({ length: 6 }, (_, at) => ({
    labels: { alertname: `Alert${at}`, namespace: "openshift-monitoring", severity: "warning" },
    annotations: { description: "a sentence or two about what is wrong, and what it means for the cluster" },
    startsAt: "2026-01-01T00:00:00Z",
  })),
);

async function main(): Promise<void> {
  const content = clusterContent();
  const pages = new Map<string, Buffer | undefined>();
  const counts = { requests: 0, bytes: 0, connections: 0 };
  const answer = (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const url = request.url;
    if (url === countsPath) {
      response.end(JSON.stringify(counts));
      return;
    }
    counts.requests++;
    // Of `/clusters/17/api/v1/nodes?limit=500` all but the first two segments.
    const path = url.slice(url.indexOf("/", "/clusters/".length));
    if (!pages.has(path)) pages.set(path, pageOf(content, path));
    const body = pages.get(path);
    counts.bytes += body?.length ?? missing.length;
    response.writeHead(body ? 200 : 404, { "content-type": "application/json" });
    response.end(body ?? missing);
  };
  const authority = await createCertificateAuthority("bench-signer", 2);
  const own = await issueCertificate(authority, {
    commonName: "bench",
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
  const server = createSecureServer({ ...tls, rejectUnauthorized: false, allowHTTP1: true }, answer);
  server.on("secureConnection", () => counts.connections++);
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => "v4.channel.k8s.io" });
  server.on("upgrade", (request, socket, head) => {
    counts.requests++;
    sockets.handleUpgrade(request, socket, head, (opened) => {
      counts.bytes += answerAlerts(opened);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 4_096, resolve));
  const { port } = server.address() as AddressInfo;
  const said: StandIn = {
    url: `https://127.0.0.1:${port}`,
    caPem: authority.certificatePem,
    clientCertificatePem: client.certificatePem,
    clientKeyPem: client.privateKeyPem,
  };
  process.stdout.write(`${JSON.stringify(said)}\n`);
  process.stdin.resume().once("end", () => process.exit());
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
  const first = Number(url.searchParams.get("continue") ?? 0);
  const limit = Number(url.searchParams.get("limit") ?? found.items.length);
  const items = found.items.slice(first, first + limit);
  const left = found.items.length - first - items.length;
  const more = left > 0 ? { continue: `${first + limit}`, remainingItemCount: left } : {};
  return Buffer.from(JSON.stringify({ ...found, metadata: { resourceVersion: "1", ...more }, items }));
}

/** Alertmanager behind a forwarded port. */
function answerAlerts(socket: WebSocket): number {
  const text = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${alerts.length}\r\nconnection: close\r\n\r\n${alerts}`;
  const port = [9093 & 0xff, 9093 >> 8];
  for (const channel of [0, 1]) socket.send(Buffer.from([channel, ...port]));
  socket.once("message", () => socket.send(Buffer.concat([Buffer.of(0), Buffer.from(text)])));
  socket.on("error", () => undefined);
  return text.length;
}

if (import.meta.main) await main();
