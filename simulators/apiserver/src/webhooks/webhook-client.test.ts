import assert from "node:assert/strict";
import { createServer, type Server } from "node:https";
import { before, test } from "node:test";
import { createCertificateAuthority, issueCertificate, type KeyPair } from "@keelson/base";
import { WebhookClient, WebhookFailure } from "./webhook-client.ts";

let tls: KeyPair;
let caBundle: string;
let issued: Awaited<ReturnType<typeof issueAll>>;
before(async () => {
  const authority = await createCertificateAuthority("webhooks", 2);
  issued = await issueAll(authority);
  tls = issued.service;
  caBundle = Buffer.from(authority.certificatePem).toString("base64");
});
const never = new AbortController().signal;

/** Starts a webhook server. Each request path has its own response. */
async function webhooks(
  pair = tls,
): Promise<AsyncDisposable & { readonly port: number; readonly asked: string[] }> {
  const asked: string[] = [];
  const server: Server = createServer(
    { cert: pair.certificatePem, key: pair.privateKeyPem },
    (request, response) => {
      asked.push(`${request.headers.host} ${request.url}`);
      const path = (request.url ?? "").split("?")[0];
      if (path === "/silent") return;
      if (path === "/huge") {
        response.on("error", () => undefined);
        response.write(Buffer.alloc(4 * 1_024 * 1_024, 32));
        response.end("{}");
      } else if (path === "/redirect") response.writeHead(302, { location: "/echo" }).end();
      else if (path === "/broken") response.writeHead(500).end("boom");
      else if (path === "/text") response.end("no json");
      else {
        response.setHeader("content-type", "application/json");
        request.pipe(response);
      }
    },
  );
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

test("a webhook is called at its URL, or behind its Service with the Service's name", async () => {
  await using hooks = await webhooks();
  using client = new WebhookClient(() => ({ host: "127.0.0.1", port: hooks.port }));
  const url = `https://127.0.0.1:${hooks.port}/echo`;
  assert.deepEqual(await client.post({ url, caBundle }, { a: 1 }, 10, never), { a: 1 });
  const service = { namespace: "ops", name: "hook", path: "/echo", port: 8443 };
  assert.deepEqual(await client.post({ service, caBundle }, { b: 2 }, 5, never), { b: 2 });
  assert.deepEqual(hooks.asked, [
    `127.0.0.1:${hooks.port} /echo?timeout=10s`,
    "hook.ops.svc:8443 /echo?timeout=5s",
  ]);
});

test("paths are joined like client-go's", async () => {
  await using hooks = await webhooks();
  using client = new WebhookClient(() => ({ host: "127.0.0.1", port: hooks.port }));
  for (const path of ["//echo", "/echo/", "/a//echo", "", "/"])
    await client.post({ url: `https://127.0.0.1:${hooks.port}${path}`, caBundle }, {}, 1, never);
  const asked = hooks.asked.map((each) => each.split(" ")[1]);
  assert.deepEqual(
    asked,
    ["/echo", "/echo", "/a/echo", "/", "/"].map((path) => `${path}?timeout=1s`),
  );
});

test("failures have client-go's messages", async (t) => {
  await using hooks = await webhooks();
  using client = new WebhookClient(({ name }) => {
    throw new WebhookFailure(`no endpoints available for service "${name}"`);
  });
  const at = (path: string) => ({ url: `https://127.0.0.1:${hooks.port}${path}`, caBundle });
  const base = `https://127.0.0.1:${hooks.port}`;
  const cases: readonly (readonly [string, unknown, string])[] = [
    [
      "connection refused",
      { url: "https://127.0.0.1:1/x", caBundle },
      'Post "https://127.0.0.1:1/x?timeout=1s": dial tcp 127.0.0.1:1: connect: connection refused',
    ],
    [
      "an unknown CA",
      { url: `${base}/echo` },
      `Post "${base}/echo?timeout=1s": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    ],
    ["a timeout", at("/silent"), `Post "${base}/silent?timeout=1s": context deadline exceeded`],
    [
      "a too long response",
      at("/huge"),
      `Post "${base}/huge?timeout=1s": the response is longer than 3145728 bytes`,
    ],
    [
      "a redirect",
      at("/redirect"),
      "the server responded with the status code 302 but did not return more information",
    ],
    [
      "a failing server",
      at("/broken"),
      'an error on the server ("boom") has prevented the request from succeeding',
    ],
    [
      "no endpoints",
      { service: { namespace: "ops", name: "hook" } },
      'Post "https://hook.ops.svc:443/?timeout=1s": no endpoints available for service "hook"',
    ],
    ["plain HTTP", { url: "http://127.0.0.1/x" }, "webhook configuration must have either service or URL"],
  ];
  for (const [name, config, message] of cases) {
    await t.test(name, () =>
      assert.rejects(client.post(config, {}, 1, never), { name: "WebhookFailure", message }),
    );
  }
  await assert.rejects(client.post(at("/text"), {}, 1, never), /json parse error/);
});

async function issueAll(authority: KeyPair) {
  const leaf = {
    commonName: "hook",
    ipAddresses: ["127.0.0.1"],
    dnsNames: ["a.example.com", "b.example.com"],
    usage: "server",
    validDays: 1,
  } as const;
  const minuteInDays = 1 / 1_440;
  const intermediate = await createCertificateAuthority("intermediate", 2, "ecdsa", authority);
  return {
    authority,
    intermediate,
    other: await createCertificateAuthority("other", 2),
    service: await issueCertificate(authority, {
      ...leaf,
      commonName: "hook.ops.svc",
      dnsNames: ["hook.ops.svc"],
    }),
    leaf: await issueCertificate(authority, leaf),
    selfSigned: await issueCertificate(undefined, leaf),
    below: await issueCertificate(intermediate, leaf),
    expired: await issueCertificate(authority, { ...leaf, validDays: -minuteInDays }),
    client: await issueCertificate(authority, { ...leaf, usage: "client" }),
    withoutAddress: await issueCertificate(authority, { ...leaf, ipAddresses: [] }),
    elsewhere: await issueCertificate(authority, { ...leaf, ipAddresses: ["10.0.0.1", "::1"] }),
    commonName: await issueCertificate(authority, {
      ...leaf,
      commonName: "localhost",
      ipAddresses: [],
      dnsNames: [],
    }),
    addressOnly: await issueCertificate(authority, { ...leaf, dnsNames: [] }),
    local: await issueCertificate(authority, { ...leaf, dnsNames: ["localhost"] }),
  };
}

const expired = "certificate has expired or is not yet valid";
const unknown = "certificate signed by unknown authority";
/** Test rows: server certificate, certificates in the CA bundle, host and the expected error, if any. */
const trust: readonly (readonly [
  name: string,
  server: keyof typeof issued,
  bundle: readonly (keyof typeof issued)[],
  host: string,
  refusal?: string,
])[] = [
  ["the CA's certificate", "leaf", ["authority"], "127.0.0.1"],
  ["the server's own certificate", "leaf", ["leaf"], "127.0.0.1"],
  ["the server's own self-signed certificate", "selfSigned", ["selfSigned"], "127.0.0.1"],
  ["an intermediate CA's certificate", "below", ["intermediate"], "127.0.0.1"],
  ["the server's own certificate and others", "leaf", ["other", "leaf"], "127.0.0.1"],
  ["the server's own certificate, by name", "local", ["local"], "localhost"],
  ["a different CA's certificate", "leaf", ["other"], "127.0.0.1", unknown],
  ["a different server's certificate", "leaf", ["local"], "127.0.0.1", unknown],
  ["only the root of an intermediate CA", "below", ["authority"], "127.0.0.1", unknown],
  ["the server's own expired certificate", "expired", ["expired"], "127.0.0.1", expired],
  ["the CA of an expired certificate", "expired", ["authority"], "127.0.0.1", expired],
  [
    "the server's own certificate for clients",
    "client",
    ["client"],
    "127.0.0.1",
    "certificate specifies an incompatible key usage",
  ],
  [
    "the server's own certificate without the address",
    "withoutAddress",
    ["withoutAddress"],
    "127.0.0.1",
    "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
  ],
  [
    "the server's own certificate for other addresses",
    "elsewhere",
    ["elsewhere"],
    "127.0.0.1",
    "certificate is valid for 10.0.0.1, ::1, not 127.0.0.1",
  ],
  [
    "the server's own certificate for other names",
    "leaf",
    ["leaf"],
    "localhost",
    "certificate is valid for a.example.com, b.example.com, not localhost",
  ],
  [
    "a certificate with only a common name",
    "commonName",
    ["authority"],
    "localhost",
    "certificate relies on legacy Common Name field, use SANs instead",
  ],
  [
    "a certificate with only addresses",
    "addressOnly",
    ["addressOnly"],
    "localhost",
    "certificate is not valid for any names, but wanted to match localhost",
  ],
];
for (const [name, server, bundle, host, refusal] of trust) {
  test(`a bundle with ${name} ${refusal ? "is rejected" : "is trusted"}`, async () => {
    await using hooks = await webhooks(issued[server]);
    using client = new WebhookClient(() => {
      throw new Error("no Services expected");
    });
    const url = `https://${host}:${hooks.port}/echo`;
    const pem = bundle.map((each) => issued[each].certificatePem).join("\n");
    const answer = client.post({ url, caBundle: Buffer.from(pem).toString("base64") }, { a: 1 }, 10, never);
    if (refusal === undefined) assert.deepEqual(await answer, { a: 1 });
    else {
      await assert.rejects(answer, {
        name: "WebhookFailure",
        message: `Post "${url}?timeout=10s": tls: failed to verify certificate: x509: ${refusal}`,
      });
      assert.deepEqual(hooks.asked, []);
    }
  });
}
