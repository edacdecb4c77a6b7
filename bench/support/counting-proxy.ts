import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { request as send } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import { createKubeconfig } from "@keelson/kube";
import { parse } from "yaml";

export interface RequestCounts {
  /** Number of GET and LIST requests. */
  readonly reads: number;
  readonly watches: number;
  /** Number of writes, excluding Events and leases. */
  readonly writes: number;
  readonly events: number;
  readonly leases: number;
}

export interface CountingProxy extends AsyncDisposable {
  /** Kubeconfig for the same API server and user through this proxy. */
  readonly kubeconfig: string;
  /** Returns the request counts since the start. */
  counts(): RequestCounts;
}

/**
 * Starts a proxy that counts the requests of one API server client. The proxy works with any client because it counts on the
 * network. It supports HTTP/2, so that clients use the same kind of connections as in a cluster.
 */
export async function startCountingProxy(kubeconfig: string): Promise<CountingProxy> {
  const { clusters, users } = parse(kubeconfig);
  const { server, "certificate-authority-data": ca } = clusters[0].cluster;
  const { "client-certificate-data": cert, "client-key-data": key } = users[0].user;
  const pemOf = (data: string) => Buffer.from(data, "base64").toString();
  const upstream = { ca: pemOf(ca), cert: pemOf(cert), key: pemOf(key) };
  const authority = await createCertificateAuthority("bench-signer", 2);
  const own = await issueCertificate(authority, {
    commonName: "bench",
    ipAddresses: ["127.0.0.1"],
    usage: "server",
    validDays: 2,
  });
  const counts = { reads: 0, watches: 0, writes: 0, events: 0, leases: 0 };
  const forward = (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const { method, url } = request;
    counts[kindOf(method, url)] += 1;
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !name.startsWith(":")),
    );
    const forwarded = send(`${server}${url}`, { method, headers, ...upstream }, (answer) => {
      for (const name of hopByHop) delete answer.headers[name];
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.once("error", () => response.destroy());
    });
    forwarded.once("error", () => response.destroy());
    response.once("close", () => forwarded.destroy());
    request.pipe(forwarded);
  };
  const certificate = { cert: own.certificatePem, key: own.privateKeyPem };
  const proxy = createSecureServer({ ...certificate, allowHTTP1: true }, forward);
  const sockets = new Set<Socket>();
  proxy.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    kubeconfig: createKubeconfig({
      server: `https://127.0.0.1:${port}`,
      caPem: authority.certificatePem,
      clientCertificatePem: upstream.cert,
      clientKeyPem: upstream.key,
      clusterName: "bench",
      userName: "admin",
    }),
    counts: () => ({ ...counts }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** HTTP/1.1 connection headers. HTTP/2 forbids them (RFC 9113, 8.2.2). */
const hopByHop = ["connection", "keep-alive", "transfer-encoding"] as const;

function kindOf(method: string, url: string): keyof RequestCounts {
  if (/\/leases(\/|\?|$)/.test(url)) return "leases";
  if (method === "GET") return /[?&]watch=(true|1)/.test(url) ? "watches" : "reads";
  return /\/events(\/|\?|$)/.test(url) ? "events" : "writes";
}

export function countsSince(before: RequestCounts, now: RequestCounts): RequestCounts {
  return {
    reads: now.reads - before.reads,
    watches: now.watches - before.watches,
    writes: now.writes - before.writes,
    events: now.events - before.events,
    leases: now.leases - before.leases,
  };
}

export function allOf({ reads, watches, writes, events, leases }: RequestCounts): number {
  return reads + watches + writes + events + leases;
}
