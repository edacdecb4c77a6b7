import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type AdminRole, bearerTokens } from "@keelson/auth";
import { type KeyPair, silentLogger, systemClock } from "@keelson/base";

export interface TestAdminApiOptions {
  readonly tls: KeyPair;
  readonly issuer: string;
  readonly keysUrl: string;
  readonly caPem: string;
  readonly audience: string;
  readonly application: string;
  readonly groups: Readonly<Record<AdminRole, readonly string[]>>;
}

/** Call that the test's admin API has received and accepted. */
export interface AdminApiCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Subject of the authenticated caller. */
  readonly subject: string;
  readonly rights: string;
  readonly token: string;
}

export interface AdminApiResponse {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestAdminApi extends AsyncDisposable {
  readonly url: string;
  readonly calls: AdminApiCall[];
  /** Sets the function that responds to later calls. Default: status 200 without a body. */
  respondWith(respond: (call: AdminApiCall) => AdminApiResponse | Promise<AdminApiResponse>): void;
}

/** Starts an admin API over HTTPS. It verifies tokens like the real service, but it does not run actions. */
export async function startTestAdminApi(options: TestAdminApiOptions): Promise<TestAdminApi> {
  const { tls, issuer, keysUrl, caPem, audience, application, groups } = options;
  const calls: AdminApiCall[] = [];
  let respond: (call: AdminApiCall) => AdminApiResponse | Promise<AdminApiResponse> = () => ({ status: 200 });
  const rule = bearerTokens({
    ...{ issuer, keysUrl, caPem, audience, applications: [application], roles: [], adminRoles: groups },
    clock: systemClock,
    logger: silentLogger,
  });
  const server = createServer(
    { cert: tls.certificatePem, key: tls.privateKeyPem },
    async (request, response) => {
      const { method = "", url = "", headers } = request;
      const authorization = headers.authorization;
      const body = Buffer.concat(await request.toArray()).toString();
      const admission = await rule.admits({
        path: url,
        apiVersion: "",
        peerCertificates: [],
        peerVerified: false,
        header: (name) => (name === "authorization" ? authorization : undefined),
      });
      if (typeof admission !== "object") return response.writeHead(403).end();
      const call = {
        ...{ method, url, headers, body, subject: admission.subject },
        rights: String(admission.rights),
        token: (authorization ?? "").replace(/^Bearer /, ""),
      };
      calls.push(call);
      const answer = await respond(call);
      return response.writeHead(answer.status, answer.headers).end(answer.body);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    calls,
    respondWith(next) {
      respond = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
