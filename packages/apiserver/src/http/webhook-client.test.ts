import assert from "node:assert/strict";
import { createServer, type Server } from "node:https";
import { test } from "node:test";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import { WebhookClient, WebhookFailure } from "./webhook-client.ts";

const authority = await createCertificateAuthority("webhooks", 2);
const tls = await issueCertificate(authority, {
  commonName: "hook.ops.svc",
  dnsNames: ["hook.ops.svc"],
  ipAddresses: ["127.0.0.1"],
  usage: "server",
  validDays: 1,
});
const caBundle = Buffer.from(authority.certificatePem).toString("base64");
const never = new AbortController().signal;

/** A webhook server that answers by the path of the request. */
async function webhooks(): Promise<AsyncDisposable & { readonly port: number; readonly asked: string[] }> {
  const asked: string[] = [];
  const server: Server = createServer(
    { cert: tls.certificatePem, key: tls.privateKeyPem },
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

test("a webhook is asked at its URL, and behind its Service by the Service's name", async () => {
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

test("what fails is said in the words of client-go", async (t) => {
  await using hooks = await webhooks();
  using client = new WebhookClient(({ name }) => {
    throw new WebhookFailure(`no endpoints available for service "${name}"`);
  });
  const at = (path: string) => ({ url: `https://127.0.0.1:${hooks.port}${path}`, caBundle });
  const base = `https://127.0.0.1:${hooks.port}`;
  const cases: readonly (readonly [string, unknown, string])[] = [
    [
      "nobody listens",
      { url: "https://127.0.0.1:1/x", caBundle },
      'Post "https://127.0.0.1:1/x?timeout=1s": dial tcp 127.0.0.1:1: connect: connection refused',
    ],
    [
      "an unknown authority",
      { url: `${base}/echo` },
      `Post "${base}/echo?timeout=1s": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    ],
    ["no answer in time", at("/silent"), `Post "${base}/silent?timeout=1s": context deadline exceeded`],
    [
      "too long an answer",
      at("/huge"),
      `Post "${base}/huge?timeout=1s": the answer is longer than 3145728 bytes`,
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
