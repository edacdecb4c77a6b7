import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import type { ResourceProviderOptions } from "../resource-provider/resource-provider.ts";
import { localCertificates } from "./test-azure.ts";

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts a resource provider on a free port. The test defines its responses. */
export async function startTestProvider(
  answer: (request: Received) => Reply,
): Promise<AsyncDisposable & { readonly options: ResourceProviderOptions }> {
  const { caPem, tls } = await localCertificates();
  const server = createServer(
    { cert: tls.certificatePem, key: tls.privateKeyPem },
    async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method = "", url = "", headers } = request;
      const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
      const { status, body = "", headers: more = {} } = answer(received);
      response.writeHead(status, more).end(typeof body === "string" ? body : JSON.stringify(body));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    options: { url: `https://localhost:${port}`, caPem },
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
