import assert from "node:assert/strict";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import {
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  Metrics,
  silentLogger,
  stringAt,
  systemClock,
} from "@keelson/base";
import { assertKeepAlive } from "@keelson/http/testing";
import { type KubeClient, KubeError, resources } from "@keelson/kube";
import { apiServers, type TestApiServer } from "../testing/test-api-server.ts";
import { type AdmissionHandler, serveWebhooks } from "./webhook-server.ts";

const signal = AbortSignal.timeout(900_000);

/** Starts a webhook server with its own CA. The test can replace its certificate. */
async function webhooks(
  handlers: Readonly<Record<string, AdmissionHandler>>,
  { clientAuthority }: { readonly clientAuthority?: string } = {},
) {
  const stack = new AsyncDisposableStack();
  const directory = stack.use(await mkdtempDisposable(join(tmpdir(), "webhooks-")));
  const authority = await createCertificateAuthority("webhooks", 1);
  const [certificateFile, keyFile] = [join(directory.path, "tls.crt"), join(directory.path, "tls.key")];
  const renew = async (commonName: string) => {
    const pair = await issueCertificate(authority, {
      commonName,
      dnsNames: ["localhost"],
      ipAddresses: ["127.0.0.1"],
      usage: "server",
      validDays: 1,
    });
    await Promise.all([
      writeFile(certificateFile, pair.certificatePem),
      writeFile(keyFile, pair.privateKeyPem),
    ]);
  };
  await renew("first");
  const metrics = new Metrics();
  const server = stack.use(
    await serveWebhooks({
      host: "127.0.0.1",
      port: 0,
      certificateFile,
      keyFile,
      rereadMs: 20,
      handlers,
      metrics,
      clock: systemClock,
      logger: silentLogger,
      clientAuthority,
    }),
  );
  return {
    authority,
    metrics,
    port: server.port,
    renew,
    certificateFile,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly client?: KeyPair;
}

function send(port: number, ca: string, { path, method = "POST", contentType, body = "", client }: Sent) {
  return new Promise<{ readonly code: number; readonly subject: string; readonly text: string }>(
    (resolve, reject) => {
      const identity = client ? { cert: client.certificatePem, key: client.privateKeyPem } : {};
      const headers = { "content-type": contentType ?? "application/json" };
      const sent = request(
        { host: "127.0.0.1", port, path, method, ca, headers, agent: false, ...identity },
        async (response) => {
          const subject = String(
            (response.socket as import("node:tls").TLSSocket).getPeerCertificate().subject?.CN,
          );
          let text = "";
          for await (const chunk of response) text += chunk;
          resolve({ code: response.statusCode ?? 0, subject, text });
        },
      );
      sent.once("error", reject);
      sent.end(body);
    },
  );
}

const review = JSON.stringify({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  request: { uid: "u", operation: "CREATE", userInfo: { username: "a" } },
});

const allow: AdmissionHandler = async () => ({ allowed: true });

for (const { name, sent, code } of [
  { name: "a review", sent: { path: "/allow", body: review }, code: 200 },
  { name: "an unknown path", sent: { path: "/other", body: review }, code: 404 },
  { name: "a path without a handler", sent: { path: "/__proto__", body: review }, code: 404 },
  { name: "a wrong method", sent: { path: "/allow", method: "GET" }, code: 405 },
  { name: "a wrong type", sent: { path: "/allow", body: review, contentType: "text/plain" }, code: 415 },
  { name: "no JSON", sent: { path: "/allow", body: "{" }, code: 400 },
  { name: "an older version", sent: { path: "/allow", body: review.replace("/v1", "/v1beta1") }, code: 400 },
  { name: "a body without end", sent: { path: "/allow", body: "x".repeat(8 * 1024 * 1024) }, code: 413 },
  { name: "a handler that throws", sent: { path: "/throw", body: review }, code: 500 },
] satisfies readonly { readonly name: string; readonly sent: Sent; readonly code: number }[]) {
  test(`${name} is answered ${code}`, async () => {
    const failing: AdmissionHandler = async () => {
      throw new Error("secret detail");
    };
    await using server = await webhooks({ "/allow": allow, "/throw": failing });
    const answered = await send(server.port, server.authority.certificatePem, sent);
    assert.equal(answered.code, code);
    assert.doesNotMatch(answered.text, /secret detail/);
  });
}

test("a replaced certificate is used without a restart, and a broken one is not", async () => {
  await using server = await webhooks({ "/allow": allow });
  const ca = server.authority.certificatePem;
  const subject = async () => (await send(server.port, ca, { path: "/allow", body: review })).subject;
  assert.equal(await subject(), "first");
  await server.renew("second");
  while ((await subject()) !== "second") await delay(20);
  const failures = async () => {
    const { body } = await server.metrics.expose();
    return Number(/certwatcher_read_certificate_errors_total (\d+)/.exec(body)?.[1]);
  };
  for (const broken of ["broken", ""]) {
    const before = await failures();
    await writeFile(server.certificateFile, broken);
    while ((await failures()) < before + 2) await delay(20);
    assert.equal(await subject(), "second");
  }
});

test("with a client CA, TLS rejects other clients", async () => {
  const clients = await createCertificateAuthority("clients", 1);
  const client = await issueCertificate(clients, { commonName: "apiserver", usage: "client", validDays: 1 });
  await using server = await webhooks({ "/allow": allow }, { clientAuthority: clients.certificatePem });
  const ca = server.authority.certificatePem;
  assert.equal((await send(server.port, ca, { path: "/allow", body: review, client })).code, 200);
  await assert.rejects(send(server.port, ca, { path: "/allow", body: review }));
});

for (const { name, start } of apiServers) {
  let api: KubeClient;
  let server: TestApiServer;
  before(async () => {
    server = await start();
    api = server.connect();
  });
  after(async () => {
    await api[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  test(`${name}: an API server calls the webhook and applies denials, warnings and patches`, async () => {
    const seen: string[] = [];
    await using hooks = await webhooks({
      "/validate": async ({ object, operation, namespace }) => {
        seen.push(`${operation} ${namespace}`);
        const text = stringAt(object, "data", "text");
        return text === "bad" ? { allowed: false, message: "text must not be bad" } : { allowed: true };
      },
      "/mutate": async () => ({
        allowed: true,
        patch: [{ op: "add", path: "/metadata/labels", value: { seen: "yes" } }],
      }),
    });
    const caBundle = Buffer.from(hooks.authority.certificatePem).toString("base64");
    const configuration = (kind: string, path: string) => ({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind,
      metadata: { name: "test" },
      webhooks: [
        {
          name: "test.example.com",
          clientConfig: { url: `https://127.0.0.1:${hooks.port}${path}`, caBundle },
          rules: [
            { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] },
          ],
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "default" } },
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
        },
      ],
    });
    const resource = (plural: string, kind: string) =>
      ({ group: "admissionregistration.k8s.io", version: "v1", plural, kind, namespaced: false }) as const;
    const validating = resource("validatingwebhookconfigurations", "ValidatingWebhookConfiguration");
    const mutating = resource("mutatingwebhookconfigurations", "MutatingWebhookConfiguration");
    await api.create(validating, configuration(validating.kind, "/validate"), signal);
    await api.create(mutating, configuration(mutating.kind, "/mutate"), signal);
    const configMap = (text: string) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "default", name: `hooked-${text}-${seen.length}` },
      data: { text },
    });
    const create = (text: string) => api.create(resources.configMaps, configMap(text), signal);
    // The API server applies a new webhook configuration with a delay, so the test repeats the request.
    while ((await create("good")).metadata.labels?.seen !== "yes" || seen.length === 0) {
      await api.delete(resources.configMaps, configMap("good").metadata, signal);
      await delay(100);
    }
    assert.ok(seen.includes("CREATE default"));
    await assert.rejects(
      create("bad"),
      (error) => error instanceof KubeError && /text must not be bad/.test(error.message),
    );
  });
}

test("idle connections of clients stay open for as long as every listener keeps them", async () => {
  await using server = await webhooks({ "/allow": allow });
  await assertKeepAlive(`https://127.0.0.1:${server.port}/`);
});
