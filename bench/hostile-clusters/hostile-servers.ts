/** Process with hostile API servers. Prints their URLs and credentials as one JSON line. Exits when its standard input ends. */
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import type { StandIn } from "../../services/monitor/src/testing/stand-ins/stand-in.ts";

type Respond = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

const list = (conditions: string) =>
  Buffer.from(
    `{"kind":"List","apiVersion":"v1","metadata":{"name":"m","resourceVersion":"1"},"items":[{"metadata":{"name":"m"},"status":{"conditions":[${conditions}]}}]}`,
  );
const numbered = (count: number, one: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => one(at)).join();

const bomb = list(numbered(1_000_000, (at) => `{"k${at.toString(36)}":0}`));
const conditions = list(
  numbered(100_000, (at) => `{"type":"T${at}","status":"True","message":"A message."}`),
);
const event = `${JSON.stringify({ type: "ADDED", object: { apiVersion: "v1", kind: "Node", metadata: { name: "n" } } })}\n`;

const whole =
  (body: Buffer | string, type = "application/json"): Respond =>
  (_request, response) => {
    response.setHeader("content-type", type);
    response.end(body);
  };

/** Sends one byte every 200 ms. */
const slow: Respond = (_request, response) => {
  response.write("{");
  const drip = setInterval(() => response.write(" "), 200);
  response.on("close", () => clearInterval(drip));
};

/** Sends watch events or spaces without end. */
const endless: Respond = ({ url }, response) => {
  const piece = (url.includes("watch=true") ? event : " ").repeat(1_000);
  const write = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", write).on("error", () => undefined);
  write();
};

const redirect: Respond = (_request, response) => {
  response.writeHead(302, { location: "https://127.0.0.1:1/" }).end();
};

const html = whole(`<!doctype html><script>${"x".repeat(100_000)}</script>`, "text/html");

/** Kinds of responses, one list per hostile cluster. A cluster sends the kinds in its list in turn. */
const kinds: readonly (readonly Respond[])[] = [
  [bomb, conditions].map((body) => whole(body)),
  [],
  [slow],
  [endless],
  [redirect, html],
];

const authority = await createCertificateAuthority("hostile-signer", 2);
const issue = (usage: "server" | "client") =>
  issueCertificate(authority, { commonName: "hostile", ipAddresses: ["127.0.0.1"], usage, validDays: 2 });
const [own, client] = [await issue("server"), await issue("client")];

async function start(responds: readonly Respond[]): Promise<StandIn> {
  let requests = 0;
  const server = createSecureServer(
    {
      cert: own.certificatePem,
      key: own.privateKeyPem,
      allowHTTP1: true,
      // A server with an empty list of response kinds allows no HTTP/2 streams.
      ...(responds.length === 0 ? { settings: { maxConcurrentStreams: 0 } } : {}),
    },
    (request, response) => {
      if (request.url.includes("/healthz")) return response.end("ok");
      return responds[requests++ % responds.length]?.(request, response);
    },
  );
  server.on("sessionError", () => undefined);
  server.on("secureConnection", (socket) => socket.on("error", () => undefined));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caPem: authority.certificatePem,
    clientCertificatePem: client.certificatePem,
    clientKeyPem: client.privateKeyPem,
  };
}

process.stdout.write(`${JSON.stringify(await Promise.all(kinds.map(start)))}\n`);
process.stdin.on("end", () => process.exit()).resume();
