import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { Agent, request as send } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import { createKubeconfig } from "@keelson/kube";
import { parse } from "yaml";

/** Fault that the proxy simulates. */
export type Fault =
  /** The proxy responds to every request with this status code. */
  | { readonly kind: "code"; readonly code: 403 | 429 | 500 }
  /** Refuses connections. */
  | { readonly kind: "gone" }
  /** The proxy accepts connections and requests, but never responds. */
  | { readonly kind: "silent" }
  /** The proxy delays each response by `ms`. */
  | { readonly kind: "slow"; readonly ms: number };

/** HTTPS proxy of an API server that can simulate faults. */
export interface UnwellFront extends AsyncDisposable {
  /** Kubeconfig of the administrator. It connects through the proxy. */
  readonly kubeconfig: string;
  /** Number of requests so far, including rejected connections. */
  readonly asked: number;
  /** Activates a fault for all further requests. Open requests and watches are closed. */
  become(fault: Fault | undefined): void;
}

export async function startUnwellFront(kubeconfig: string): Promise<UnwellFront> {
  const { clusters, users } = parse(kubeconfig);
  const { server, "certificate-authority-data": ca } = clusters[0].cluster;
  const { "client-certificate-data": cert, "client-key-data": key } = users[0].user;
  const pemOf = (data: string) => Buffer.from(data, "base64").toString();
  const agent = new Agent({ keepAlive: true, ca: pemOf(ca), cert: pemOf(cert), key: pemOf(key) });
  const authority = await createCertificateAuthority("unwell-signer", 2);
  const own = await issueCertificate(authority, {
    commonName: "unwell",
    ipAddresses: ["127.0.0.1"],
    usage: "server",
    validDays: 2,
  });
  let fault: Fault | undefined;
  let asked = 0;
  const sockets = new Set<Socket>();
  const answer = async (request: Http2ServerRequest, response: Http2ServerResponse) => {
    asked += 1;
    if (fault?.kind === "silent") return;
    if (fault?.kind === "code") return void refuse(response, fault.code);
    if (fault?.kind === "slow") await delay(fault.ms);
    forward(`${server}${request.url}`, agent, request, response);
  };
  const front = createSecureServer(
    { cert: own.certificatePem, key: own.privateKeyPem, allowHTTP1: true },
    (request, response) => void answer(request, response),
  );
  front.on("connection", (socket: Socket) => {
    if (fault?.kind === "gone") {
      asked += 1;
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  for (const event of ["sessionError", "tlsClientError"]) front.on(event, () => undefined);
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const { port } = front.address() as AddressInfo;
  const breakOff = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    kubeconfig: createKubeconfig({
      server: `https://127.0.0.1:${port}`,
      caPem: authority.certificatePem,
      clientCertificatePem: own.certificatePem,
      clientKeyPem: own.privateKeyPem,
      clusterName: "unwell",
      userName: "admin",
    }),
    get asked() {
      return asked;
    },
    become(next) {
      fault = next;
      breakOff();
    },
    async [Symbol.asyncDispose]() {
      breakOff();
      await new Promise((resolve) => front.close(resolve));
      agent.destroy();
    },
  };
}

const reasons = { 403: "Forbidden", 429: "TooManyRequests", 500: "InternalError" } as const;

function refuse(response: Http2ServerResponse, code: keyof typeof reasons): void {
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", code, reason: reasons[code] };
  response.writeHead(code, {
    "content-type": "application/json",
    ...(code === 429 ? { "retry-after": "1" } : {}),
  });
  response.end(JSON.stringify({ ...status, message: "the API server is not well" }));
}

function forward(
  url: string,
  agent: Agent,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): void {
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !name.startsWith(":")),
  );
  const forwarded = send(url, { method: request.method, headers, agent }, (answer) => {
    const { connection: _, "keep-alive": __, "transfer-encoding": ___, ...rest } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, rest);
    answer.pipe(response);
    answer.once("error", () => response.stream?.destroy());
  });
  forwarded.once("error", () => response.stream?.destroy());
  response.once("close", () => forwarded.destroy());
  request.pipe(forwarded);
}
