/** Tests every client library of the project with TCP resets. Pending requests must end, and the next request must succeed. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { connect as connectTls, createSecureContext, TLSSocket } from "node:tls";
import { createDefaultHttpClient, createPipelineRequest } from "@azure/core-rest-pipeline";
import { createCertificateAuthority, http1Only, issueCertificate, type KeyPair } from "@keelson/base";
import { connectKube, createKubeconfig, resources } from "@keelson/kube";
import pg from "pg";
import { Agent, request, fetch as undiciFetch } from "undici";
import { type Stage, stages, startResettingRelay } from "./resetting-relay.ts";

const { signal } = new AbortController();
const payload = "x".repeat(100_000);
const document = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace: "b", resourceVersion: "1", uid: "1" },
  data: { payload },
};

/** Tested client. It sends one request and reads the complete response. Disposal closes its connections. */
interface Client extends AsyncDisposable {
  send(): Promise<unknown>;
}

interface Library {
  readonly open: (port: number, ca: string) => Client;
  /** Starts the server. Default: a TLS server with HTTP/2 and HTTP/1.1. */
  readonly server?: () => Promise<AsyncDisposable & { readonly port: number }>;
  /** Number of messages that each side sends before TLS. Default: 0. */
  readonly exchanges?: number;
}

let authority: KeyPair;
let certificate: { readonly cert: string; readonly key: string };
let http: AsyncDisposable & { readonly port: number };
before(async () => {
  authority = await createCertificateAuthority("test", 1);
  const ipAddresses = ["127.0.0.1"];
  const names = { commonName: "localhost", dnsNames: ["localhost"], ipAddresses };
  const issued = await issueCertificate(authority, { ...names, usage: "server", validDays: 1 });
  certificate = { cert: issued.certificatePem, key: issued.privateKeyPem };
  http = await startHttp();
});
after(() => http[Symbol.asyncDispose]());

async function startHttp() {
  const respond = (_: Http2ServerRequest, response: Http2ServerResponse) => {
    response.on("error", () => undefined);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
  };
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, respond).listen(0, "127.0.0.1");
  server.on("sessionError", () => undefined).on("tlsClientError", () => undefined);
  const sockets = new Set<TLSSocket>();
  server.on("secureConnection", (socket: TLSSocket) => sockets.add(socket));
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const each of sockets) each.destroy();
      await closed;
    },
  };
}

/** Starts a server with PostgreSQL's TLS handshake that accepts every user. */
async function startPostgres() {
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5);
    head.write(type, "latin1");
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const greeting = Buffer.concat([
    message("R", Buffer.alloc(4)),
    message("S", Buffer.from(`payload\0${payload}\0`)),
    message("Z", Buffer.from("I")),
  ]);
  const secureContext = createSecureContext(certificate);
  const server = createServer((socket) => {
    socket
      .on("error", () => undefined)
      .once("data", () => {
        socket.write("S");
        const secure = new TLSSocket(socket, { isServer: true, secureContext });
        secure.on("error", () => undefined).once("data", () => secure.write(greeting));
      });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
}

const undiciAgent = (ca: string) => new Agent({ ...http1Only, connect: { ca } });
const disposed = (agent: Agent) => ({ [Symbol.asyncDispose]: () => agent.destroy() });

const libraries: Readonly<Record<string, Library>> = {
  "the Kubernetes client": {
    open(port, caPem) {
      const { cert: clientCertificatePem, key: clientKeyPem } = certificate;
      const server = `https://127.0.0.1:${port}`;
      const names = { clusterName: "test", userName: "test" };
      const kubeconfig = createKubeconfig({ server, caPem, clientCertificatePem, clientKeyPem, ...names });
      const kube = connectKube({ kubeconfig, userAgent: "test/1", fieldManager: "test" });
      return {
        send: () => kube.get(resources.configMaps, { name: "a", namespace: "b" }, signal),
        [Symbol.asyncDispose]: () => kube[Symbol.asyncDispose](),
      };
    },
  },
  "undici's request": {
    open(port, ca) {
      const dispatcher = undiciAgent(ca);
      return {
        send: async () => (await request(`https://127.0.0.1:${port}/`, { dispatcher })).body.text(),
        ...disposed(dispatcher),
      };
    },
  },
  "undici's fetch": {
    open(port, ca) {
      const dispatcher = undiciAgent(ca);
      return {
        send: async () => (await undiciFetch(`https://127.0.0.1:${port}/`, { dispatcher })).text(),
        ...disposed(dispatcher),
      };
    },
  },
  "node:https": {
    open(port, ca) {
      const agent = new HttpsAgent({ keepAlive: true, ca });
      return {
        async send() {
          const sent = httpsRequest({ host: "127.0.0.1", port, agent }).end();
          const responded = once(sent, "response");
          // Ignores the error event of the request. Node.js emits this event in addition to the response's error if the
          // connection is reset during the response.
          sent.on("error", () => undefined);
          const [response] = await responded;
          return text(response);
        },
        [Symbol.asyncDispose]: async () => agent.destroy(),
      };
    },
  },
  "the Azure SDK": {
    open(port, ca) {
      const client = createDefaultHttpClient();
      const request = createPipelineRequest({ url: `https://127.0.0.1:${port}/` });
      request.tlsSettings = { ca };
      return {
        send: async () => (await client.sendRequest(request)).bodyAsText,
        [Symbol.asyncDispose]: async () => undefined,
      };
    },
  },
  "node:tls": {
    open: (port, ca) => ({
      async send() {
        const socket = connectTls({ host: "127.0.0.1", port, ca });
        await once(socket, "secureConnect");
        socket.end("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        return text(socket);
      },
      [Symbol.asyncDispose]: async () => undefined,
    }),
  },
  "the PostgreSQL driver": {
    server: startPostgres,
    exchanges: 1,
    open: (port, ca) => ({
      async send() {
        const client = new pg.Client({ host: "127.0.0.1", port, user: "a", database: "b", ssl: { ca } });
        client.on("error", () => undefined);
        await client.connect();
        const closed = once(client, "end");
        void client.end();
        await closed;
      },
      [Symbol.asyncDispose]: async () => undefined,
    }),
  },
};

const stageNames = Object.keys(stages) as readonly Stage[];
for (const [name, { open, server, exchanges }] of Object.entries(libraries))
  for (const stage of stageNames)
    test(`${name}: a request over a connection that is reset ${stage} ends, and the next one succeeds`, {
      timeout: 900_000,
    }, async () => {
      await using stack = new AsyncDisposableStack();
      const { port } = server ? stack.use(await server()) : http;
      const relay = stack.use(await startResettingRelay(port, stage, exchanges));
      const client = stack.use(open(relay.port, authority.certificatePem));
      // The first call may fail. The Kubernetes client then reconnects for the next request.
      await client.send().catch(() => undefined);
      await client.send();
      assert.ok(relay.connections() >= 2, "the first connection was used again");
    });
