import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { parse, stringify } from "yaml";
import { connectKube, createKubeconfig, KubeError, resources } from "../index.ts";
import { readKubeconfig } from "./read-kubeconfig.ts";

const good = createKubeconfig({
  server: "https://api.example:6443/base",
  caPem: "CA",
  clientCertificatePem: "CERT",
  clientKeyPem: "KEY",
  clusterName: "c",
  userName: "u",
});

/** Returns the `good` kubeconfig with changed fields in its cluster, its user or at the top level. */
function changed(change: {
  readonly cluster?: object;
  readonly user?: object;
  readonly config?: object;
}): string {
  const config = parse(good);
  Object.assign(config.clusters[0].cluster, change.cluster);
  Object.assign(config.users[0].user, change.user);
  return stringify({ ...config, ...change.config });
}

function refusal(text: string): string {
  try {
    readKubeconfig(text);
  } catch (error) {
    assert.ok(error instanceof KubeError);
    assert.deepEqual([error.reason, error.retry], ["InvalidKubeconfig", "never"]);
    return error.message;
  }
  return assert.fail("it was accepted");
}

test("certificates, keys and CA come from the kubeconfig itself", async () => {
  const { server, tls, headers } = readKubeconfig(good);
  assert.equal(server.href, "https://api.example:6443/base");
  assert.deepEqual(tls, { ca: "CA", cert: "CERT", key: "KEY" });
  assert.deepEqual(await headers(), {});
});

test("a token goes before a name and its password", async () => {
  const basic = { username: "me", password: "secret" };
  assert.equal(
    (await readKubeconfig(changed({ user: { ...basic, token: "t" } })).headers()).authorization,
    "Bearer t",
  );
  const { authorization } = await readKubeconfig(changed({ user: basic })).headers();
  assert.equal(authorization, `Basic ${Buffer.from("me:secret").toString("base64")}`);
});

test("what changes nothing is accepted", () => {
  const text = changed({
    cluster: { "insecure-skip-tls-verify": false, "tls-server-name": "api", extensions: [] },
    user: { extensions: [], exec: null },
    config: { preferences: { colors: true } },
  });
  assert.equal(readKubeconfig(text).tls.servername, "api");
});

test("contexts that are not current are not read", () => {
  const config = parse(good);
  config.users.push({ name: "other", user: { exec: { command: "x" } } });
  assert.equal(readKubeconfig(stringify(config)).server.hostname, "api.example");
});

for (const [title, change, says] of [
  [
    "a program",
    { user: { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "sh" } } },
    /"exec"/,
  ],
  ["an auth provider", { user: { "auth-provider": { name: "gcp" } } }, /"auth-provider"/],
  ["a token's file", { user: { tokenFile: "/etc/passwd" } }, /"tokenFile"/],
  ["a certificate's file", { user: { "client-certificate": "/etc/passwd" } }, /"client-certificate"/],
  ["a key's file", { user: { "client-key": "/etc/passwd" } }, /"client-key"/],
  ["an impersonated user", { user: { as: "system:admin" } }, /"as"/],
  ["an unknown field of the user", { user: { colour: "red" } }, /"colour"/],
  ["a CA file", { cluster: { "certificate-authority": "/etc/passwd" } }, /"certificate-authority"/],
  ["a proxy", { cluster: { "proxy-url": "http://evil.example" } }, /"proxy-url"/],
  [
    "a server that nothing proves",
    { cluster: { "insecure-skip-tls-verify": true } },
    /"insecure-skip-tls-verify"/,
  ],
  ["a server without TLS", { cluster: { server: "http://api.example" } }, /not an https URL/],
  ["a server with a user", { cluster: { server: "https://me@api.example" } }, /names a user/],
  ["a server with a query", { cluster: { server: "https://api.example/?x=" } }, /has a query/],
  ["a server that is not a string", { cluster: { server: 7 } }, /server is missing/],
  ["a token that ends its header", { user: { token: "a\r\nHost: b" } }, /control characters/],
  ["no current context", { config: { "current-context": "" } }, /current-context is missing/],
  ["a current context that is not there", { config: { "current-context": "x" } }, /contexts has no "x"/],
  ["no clusters", { config: { clusters: [] } }, /clusters has no "c"/],
  [
    "two users of one name",
    { config: { users: [1, 2].map((token) => ({ name: "u", user: { token: `${token}` } })) } },
    /users has no "u", or more than one/,
  ],
] as const) {
  test(`a kubeconfig with ${title} is refused`, () => {
    assert.match(refusal(changed(change)), says);
  });
}

test("what is no kubeconfig is refused without a word of it", () => {
  for (const text of ["", "secret", "[secret", "- secret: {", "a: &a [*a]", `x: ${"[".repeat(100_000)}`]) {
    assert.doesNotMatch(refusal(text), /secret/);
  }
  assert.match(refusal(`secret: ${"x".repeat(1024 * 1024)}`), /longer than 1048576 bytes/);
});

test("a program in a kubeconfig is not executed", async () => {
  const directory = mkdtempSync(join(tmpdir(), "keelson-kube-"));
  const trace = join(directory, "ran");
  const exec = {
    apiVersion: "client.authentication.k8s.io/v1",
    command: "touch",
    args: [trace],
    interactiveMode: "Never",
  };
  try {
    await assert.rejects(async () => {
      await using kube = connectKube({
        kubeconfig: changed({ user: { exec }, cluster: { server: "https://127.0.0.1:1" } }),
        userAgent: "test/1",
        fieldManager: "test",
      });
      await kube.get(resources.nodes, { name: "x" }, AbortSignal.timeout(900_000));
    }, /exec/);
    assert.equal(existsSync(trace), false, "the program ran");
  } finally {
    rmSync(directory, { recursive: true });
  }
});
