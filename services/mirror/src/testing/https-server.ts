import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { createCertificateAuthority, issueCertificate, type KeyPair } from "@keelson/base";

export interface TestServer extends AsyncDisposable {
  /** Address of the server: `localhost:port`. */
  readonly host: string;
}

let authority: Promise<KeyPair> | undefined;

/** Returns the CA certificate and key of all HTTPS servers in this test process. */
export function testAuthority(): Promise<KeyPair> {
  authority ??= createCertificateAuthority("mirror tests", 1);
  return authority;
}

/** Serves HTTPS on a free port of localhost. */
export async function serveHttps(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<TestServer> {
  const pair = await issueCertificate(await testAuthority(), {
    commonName: "localhost",
    usage: "server",
    validDays: 1,
    dnsNames: ["localhost"],
  });
  const server = createServer({ cert: pair.certificatePem, key: pair.privateKeyPem }, (request, response) => {
    handle(request, response).catch((error) => {
      if (!request.socket.destroyed) response.destroy(error);
    });
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    host: `localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export function respond(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body: Buffer | string = "",
): void {
  response.writeHead(status, { "content-length": String(Buffer.byteLength(body)), ...headers });
  response.end(response.req.method === "HEAD" ? undefined : body);
}

/** Sends an error response in the format of registries. */
export function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  const body = JSON.stringify({ errors: [{ code, message }] });
  respond(response, status, { "content-type": "application/json" }, body);
}
