import assert from "node:assert/strict";
import { createServer, type Server } from "node:https";
import { after, before, test } from "node:test";
import { isPlainObject, issueCertificate, silentLogger } from "@keelson/base";
import {
  clientId,
  clientSecret,
  localCertificates,
  startTestAzure,
  type TestAzure,
  tenantId,
} from "@keelson/sim-azure/testing";
import { fetchIdentityCredentials } from "./identity-data-plane.ts";

const signal = AbortSignal.timeout(900_000);
const resourceId = "/identity";

interface Seen {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

let azure: TestAzure;
let server: Server;
let origin = "";
let seen: Seen[] = [];
/** Data plane response to authenticated requests. */
let answer: { readonly status: number; readonly body: unknown; readonly location?: string } = {
  status: 200,
  body: {},
};
let challenge: string | undefined;
let pem = "";

before(async () => {
  azure = await startTestAzure();
  const { tls } = await localCertificates();
  const made = await issueCertificate(undefined, {
    commonName: "identity",
    usage: "client",
    keyType: "rsa",
    validDays: 1,
  });
  pem = made.privateKeyPem + made.certificatePem;
  server = createServer({ key: tls.privateKeyPem, cert: tls.certificatePem }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url = "", headers } = request;
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      seen.push({ url, authorization: headers.authorization, body });
      if (headers.authorization === undefined) {
        response.writeHead(401, challenge ? { "www-authenticate": challenge } : {}).end();
      } else {
        response
          .writeHead(answer.status, answer.location ? { location: answer.location } : {})
          .end(JSON.stringify(answer.body));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(isPlainObject(address));
  origin = `https://localhost:${address.port}`;
});
after(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await azure[Symbol.asyncDispose]();
});

const times = {
  not_before: "2026-01-01T00:00:00Z",
  not_after: "2026-04-01T00:00:00Z",
  renew_after: "2026-02-16T00:00:00Z",
  cannot_renew_after: "2026-04-01T00:00:00Z",
};
const identity = () => ({
  client_id: "client",
  client_secret: Buffer.from(pem).toString("base64"),
  tenant_id: tenantId,
  object_id: "object",
  resource_id: resourceId,
  authentication_endpoint: "https://login.example/",
  ...times,
});

function fetch(identityUrl = `${origin}/credentials?tid=1&oid=2`) {
  seen = [];
  return fetchIdentityCredentials(
    {
      environment: {
        armEndpoint: azure.url,
        loginEndpoint: azure.url,
        audience: "https://management.azure.com/",
        caPem: azure.caPem,
      },
      credential: { tenantId, clientId, clientSecret },
      audience: "https://identity.azure.net",
      hostSuffix: new URL(origin).host,
      logger: silentLogger,
    },
    identityUrl,
    resourceId,
    signal,
  );
}

test("the first try has no token, the second one of the tenant that was asked for", async () => {
  challenge = `Bearer authorization="${azure.url}/${tenantId.toUpperCase()}"`;
  answer = { status: 200, body: { explicit_identities: [identity()] } };
  const found = await fetch();
  assert.deepEqual(
    seen.map(({ url, body }) => [url, body]),
    Array(2).fill(["/credentials?tid=1&oid=2&api-version=2024-01-01", { identityIds: [resourceId] }]),
  );
  assert.equal(seen[0]?.authorization, undefined);
  const token = seen[1]?.authorization?.split(".")[1] ?? "";
  const claims = JSON.parse(Buffer.from(token, "base64url").toString());
  assert.deepEqual([claims.tid, claims.aud], [tenantId, "https://identity.azure.net"]);
  const { certificate, ...principal } = found.principal;
  assert.equal(certificate.reveal(), pem);
  assert.deepEqual(
    { ...found, principal },
    {
      resourceId,
      objectId: "object",
      principal: { clientId: "client", tenantId, loginEndpoint: "https://login.example/" },
      renewAfter: times.renew_after,
      cannotRenewAfter: times.cannot_renew_after,
    },
  );
});

for (const [title, url, message] of [
  ["another host", () => origin.replace("localhost", "127.0.0.1"), /must be a URL of localhost/],
  ["another port", () => azure.url, /must be a URL of localhost/],
  ["plain HTTP", () => origin.replace("https", "http"), /must be an https URL/],
  ["a user", () => origin.replace("//", "//user@"), /without a user/],
] as const) {
  test(`nothing is sent to a URL with ${title}`, async () => {
    await assert.rejects(fetch(url()), (error: Error) => {
      assert.equal(error.name, "IdentityUrlForbidden");
      assert.match(error.message, message);
      return true;
    });
    assert.deepEqual(seen, []);
  });
}

for (const [title, header] of [
  ["a different identity provider", `Bearer authorization="https://login.example/${tenantId}"`],
  ["a different resource", "resource"],
] as const) {
  test(`no token goes where the challenge names ${title}`, async () => {
    challenge =
      header === "resource"
        ? `Bearer authorization="${azure.url}/${tenantId}", resource="https://management.azure.com/"`
        : header;
    await assert.rejects(fetch(), { name: "IdentityUrlForbidden" });
    assert.deepEqual(
      seen.map(({ authorization }) => authorization),
      [undefined],
    );
  });
}

test("no token follows a redirect", async () => {
  challenge = `Bearer authorization="${azure.url}/${tenantId}"`;
  for (const location of [`${origin}/elsewhere`, `${azure.url}/elsewhere`]) {
    for (const status of [301, 302, 303, 307, 308]) {
      answer = { status, body: {}, location };
      await assert.rejects(fetch(), { name: "IdentityUnavailable" });
      assert.deepEqual(
        seen.filter(({ url }) => !url.startsWith("/credentials")),
        [],
      );
    }
  }
});

for (const [title, change, name, message] of [
  ["no challenge", { challenge: undefined }, "IdentityUnavailable", /returned status 401/],
  [
    "an unknown identity",
    { status: 404, body: { error: { code: "NotFound", message: "It is not there." } } },
    "IdentityNotFound",
    /returned status 404 for \/identity: NotFound: It is not there\./,
  ],
  ["no identities", { body: { explicit_identities: [] } }, "IdentityUnavailable", /does not have \/identity/],
  [
    "an identity without ID",
    { body: () => ({ explicit_identities: [{ ...identity(), client_id: "" }] }) },
    "IdentityUnavailable",
    /have no client_id/,
  ],
  [
    "an invalid certificate",
    { body: () => ({ explicit_identities: [{ ...identity(), client_secret: "bm9uZQ==" }] }) },
    "IdentityUnavailable",
    /certificate of \/identity cannot be read/,
  ],
] as const) {
  test(`${title}: ${name}`, async () => {
    challenge = "challenge" in change ? undefined : `Bearer authorization="${azure.url}/${tenantId}"`;
    const body = "body" in change ? change.body : {};
    answer = {
      status: "status" in change ? change.status : 200,
      body: typeof body === "function" ? body() : body,
    };
    await assert.rejects(fetch(), (error: Error) => {
      assert.equal(error.name, name);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /PRIVATE KEY/);
      return true;
    });
  });
}
