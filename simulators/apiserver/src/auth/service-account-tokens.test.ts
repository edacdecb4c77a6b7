import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { until } from "@keelson/base/testing/eventually";
import { type Response, TestServer } from "../testing/test-server.ts";

const clock = new ManualClock(new Date());
let server: TestServer;
before(async () => {
  server = await TestServer.start(undefined, undefined, clock);
});
after(() => server[Symbol.asyncDispose]());

const core = (resource: string) => ({ group: "", version: "v1", resource });
const accountsPath = "/api/v1/namespaces/default/serviceaccounts";

async function account(name: string): Promise<string> {
  const metadata = { name, namespace: "default" };
  await server.cluster.client.create(core("serviceaccounts"), {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata,
  });
  return name;
}

function pod(name: string, more: object = {}): KubeObject {
  const spec = { containers: [{ name: "c", image: "i" }], ...more };
  return { apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default" }, spec };
}

function request(name: string, spec: object, metadata: object = {}): Promise<Response> {
  return server.call("POST", `${accountsPath}/${name}/token`, { body: { spec, metadata } });
}

async function tokenOf(name: string, spec: object = {}): Promise<string> {
  const response = await request(name, spec);
  assert.equal(response.status, 201, response.text);
  return scalarStringAt(response.body, "status", "token");
}

function bearer(token: string) {
  return { user: undefined, headers: { authorization: `Bearer ${token}` } };
}

/** Returns the response status of a request with the token: 200 for a valid token, 401 for an invalid token. */
async function statusWith(token: string): Promise<number> {
  return (await server.call("GET", "/apis", bearer(token))).status;
}

async function review(token: string, audiences?: readonly string[]): Promise<unknown> {
  const body = { spec: { token, ...(audiences ? { audiences } : {}) } };
  const response = await server.call("POST", "/apis/authentication.k8s.io/v1/tokenreviews", { body });
  assert.equal(response.status, 201);
  assert.ok(!response.text.includes(token), "a token is not repeated");
  return valueAt(response.body, "status");
}

function claimsOf(token: string): Readonly<Record<string, unknown>> {
  return objectAt(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()));
}

test("a requested token authenticates and is reviewed as its service account until it expires", async () => {
  await account("robot");
  const response = await request("robot", { expirationSeconds: 600 });
  const token = scalarStringAt(response.body, "status", "token");
  const expires = Date.parse(scalarStringAt(response.body, "status", "expirationTimestamp"));
  assert.ok(Math.abs(expires - clock.now().getTime() - 600_000) < 1_000);
  assert.equal(scalarStringAt(response.body, "kind"), "TokenRequest");
  const claims = claimsOf(token);
  assert.equal(claims.sub, "system:serviceaccount:default:robot");
  assert.deepEqual(claims.aud, ["https://kubernetes.default.svc"]);
  assert.equal(Number(claims.exp) - Number(claims.iat), 600);
  assert.equal(claims.nbf, claims.iat);
  assert.equal(scalarStringAt(claims, "kubernetes.io", "serviceaccount", "name"), "robot");

  const status = await review(token);
  assert.equal(valueAt(status, "authenticated"), true);
  assert.equal(scalarStringAt(status, "user", "username"), "system:serviceaccount:default:robot");
  assert.deepEqual(valueAt(status, "user", "groups"), [
    "system:serviceaccounts",
    "system:serviceaccounts:default",
    "system:authenticated",
  ]);
  const self = await server.call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
    ...bearer(token),
    body: {},
  });
  assert.deepEqual(valueAt(self.body, "status", "userInfo", "extra"), {
    "authentication.kubernetes.io/credential-id": [`JTI=${claims.jti}`],
  });
  const refused = await server.call("GET", "/api/v1/nodes", bearer(token));
  assert.match(
    scalarStringAt(refused.body, "message"),
    /User "system:serviceaccount:default:robot" cannot list/,
  );

  await clock.advance(599_000);
  assert.equal(await statusWith(token), 200);
  await clock.advance(1_000);
  assert.equal(await statusWith(token), 401);
  const late = await review(token);
  assert.equal(valueAt(late, "authenticated"), undefined);
  assert.match(scalarStringAt(late, "error"), /service account token has expired/);
});

test("a token is only valid for its audiences", async () => {
  await account("listener");
  const token = await tokenOf("listener", { audiences: ["vault", "db"] });
  assert.equal(await statusWith(token), 401);
  assert.equal(valueAt(await review(token), "authenticated"), undefined);
  assert.deepEqual(valueAt(await review(token, ["db", "other"]), "audiences"), ["db"]);
  assert.equal(valueAt(await review("secret-token", ["db"]), "authenticated"), undefined);
  assert.equal(valueAt(await review("secret-token"), "authenticated"), true);
});

test("a bound token becomes invalid with its object or account", async () => {
  const { client } = server.cluster;
  await account("bound");
  await client.create(core("secrets"), {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "holder", namespace: "default" },
  });
  await client.create(core("nodes"), { apiVersion: "v1", kind: "Node", metadata: { name: "n" } });
  await client.create(core("pods"), pod("p", { serviceAccountName: "bound", nodeName: "n" }));
  const reference = (kind: string, name: string) => ({ boundObjectRef: { apiVersion: "v1", kind, name } });
  const tokens = {
    pods: await tokenOf("bound", reference("Pod", "p")),
    secrets: await tokenOf("bound", reference("Secret", "holder")),
    nodes: await tokenOf("bound", reference("Node", "n")),
  };
  const own = await tokenOf("bound");
  const extra = objectAt(await review(tokens.pods), "user", "extra");
  assert.deepEqual(extra["authentication.kubernetes.io/pod-name"], ["p"]);
  assert.deepEqual(extra["authentication.kubernetes.io/node-name"], ["n"]);
  for (const token of Object.values(tokens)) assert.equal(await statusWith(token), 200);
  await client.delete(core("pods"), { namespace: "default", name: "p" });
  // The token is bound to the pod's uid. A new pod with the same name therefore does not make the token valid.
  await client.create(core("pods"), pod("p", { serviceAccountName: "bound" }));
  assert.equal(await statusWith(tokens.pods), 401);
  await client.delete(core("secrets"), { namespace: "default", name: "holder" });
  assert.equal(await statusWith(tokens.secrets), 401);
  await client.delete(core("nodes"), { name: "n" });
  assert.equal(await statusWith(tokens.nodes), 401);
  assert.equal(await statusWith(own), 200);
  await client.delete(core("serviceaccounts"), { namespace: "default", name: "bound" });
  await account("bound");
  assert.equal(await statusWith(own), 401);
});

const wrongRequests: Readonly<Record<string, readonly [spec: object, status: number, message: RegExp]>> = {
  "too short": [
    { expirationSeconds: 599 },
    422,
    /TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes/,
  ],
  "seconds of the wrong type": [
    { expirationSeconds: "soon" },
    400,
    /TokenRequest in version "v1" cannot be handled/,
  ],
  "fractional seconds": [{ expirationSeconds: 600.5 }, 400, /cannot be handled as a TokenRequest/],
  "bound to a missing pod": [
    { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "none" } },
    404,
    /pods "none" not found/,
  ],
  "bound to an unsupported kind": [
    { boundObjectRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } },
    400,
    /cannot bind token to object of type apps\/v1, Kind=Deployment/,
  ],
  "bound to a pod of a different service account": [
    { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "others" } },
    400,
    /cannot bind token for serviceaccount "asker" to pod running with different serviceaccount name/,
  ],
  "bound to a pod with a different UID": [
    { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "own", uid: "u" } },
    409,
    /the UID in the bound object reference \(u\) does not match the UID in record/,
  ],
};
test("invalid token requests are rejected with the reason", async () => {
  await account("asker");
  await server.cluster.client.create(core("pods"), pod("others"));
  await server.cluster.client.create(core("pods"), pod("own", { serviceAccountName: "asker" }));
  for (const [title, [spec, status, message]] of Object.entries(wrongRequests)) {
    const response = await request("asker", spec);
    assert.equal(response.status, status, title);
    assert.match(scalarStringAt(response.body, "message"), message, title);
  }
  assert.equal((await request("nobody", {})).status, 404);
  assert.equal((await request("asker", {}, { name: "other" })).status, 422);
  assert.equal((await server.call("GET", `${accountsPath}/asker/token`)).status, 405);
});

test("kubelets' pod tokens remain valid after the renewal time", async () => {
  await server.cluster.client.create(core("pods"), pod("long"));
  const { token, expirationTimestamp } = await server.cluster.issueToken({
    namespace: "default",
    serviceAccount: "default",
    expirationSeconds: 3_607,
    boundObject: { kind: "Pod", name: "long" },
  });
  const claims = claimsOf(token);
  assert.equal(Number(claims.exp) - Number(claims.iat), 365 * 86_400);
  assert.equal(Number(valueAt(claims, "kubernetes.io", "warnafter")) - Number(claims.iat), 3_607);
  assert.ok(Math.abs(Date.parse(expirationTimestamp) - clock.now().getTime() - 3_607_000) < 1_000);
  assert.equal(await statusWith(token), 200);
});

test("tokens can be verified with the published keys, and forged ones are rejected", async () => {
  const document = await server.call("GET", "/.well-known/openid-configuration", { user: undefined });
  assert.equal(scalarStringAt(document.body, "issuer"), "https://kubernetes.default.svc");
  assert.equal(scalarStringAt(document.body, "jwks_uri"), `${server.cluster.url}/openid/v1/jwks`);
  const keys = await server.call("GET", "/openid/v1/jwks", { user: undefined });
  assert.equal(keys.headers["content-type"], "application/jwk-set+json");
  const [jwk] = listAt(JSON.parse(keys.text), "keys");
  assert.equal(scalarStringAt(jwk, "alg"), "ES256");
  const key = createPublicKey({ key: objectAt(jwk), format: "jwk" });
  const { token } = await server.cluster.issueToken({ namespace: "default", serviceAccount: "default" });
  const [header = "", payload = "", signature = ""] = token.split(".");
  const options = { key, dsaEncoding: "ieee-p1363" } as const;
  const signed = Buffer.from(`${header}.${payload}`);
  assert.ok(verify("sha256", signed, options, Buffer.from(signature, "base64url")));

  const changed = JSON.stringify({ ...claimsOf(token), sub: "system:serviceaccount:kube-system:admin" });
  const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  const forged = [
    `${header}.${Buffer.from(changed).toString("base64url")}.${signature}`,
    `${none}.${payload}.`,
    `${none}.${payload}.${signature}`,
    `${header}.${payload}`,
    `${header}.${payload}.${signature}x`,
    `${token}.x`,
  ];
  for (const each of forged) assert.equal(await statusWith(each), 401, each);
});

test("a token Secret is populated, its token is valid while it exists, and it is deleted with its account", async () => {
  const { client } = server.cluster;
  await account("legacy");
  const metadata = {
    name: "legacy-token",
    namespace: "default",
    annotations: { "kubernetes.io/service-account.name": "legacy" },
  };
  const secret = { apiVersion: "v1", kind: "Secret", metadata, type: "kubernetes.io/service-account-token" };
  const key = { namespace: "default", name: "legacy-token" };
  const filled = async () => {
    await client.create(core("secrets"), secret);
    await until(async () => scalarStringAt(await client.get(core("secrets"), key), "data", "token") !== "");
    const { data } = await client.get(core("secrets"), key);
    return (name: string) => Buffer.from(scalarStringAt(data, name), "base64").toString();
  };
  const first = await filled();
  assert.equal(first("namespace"), "default");
  assert.match(first("ca.crt"), /BEGIN CERTIFICATE/);
  assert.equal(await statusWith(first("token")), 200);
  await client.delete(core("secrets"), key);
  assert.equal(await statusWith(first("token")), 401);
  const second = await filled();
  assert.equal(await statusWith(first("token")), 401, "the token is not the one of the new secret");
  assert.equal(await statusWith(second("token")), 200);
  await client.delete(core("serviceaccounts"), { namespace: "default", name: "legacy" });
  await until(async () => (await client.find(core("secrets"), key)) === undefined);
  assert.equal(await statusWith(second("token")), 401);
});

test("tokens remain valid after a restart, and the owner may set key and issuer", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tokens-"));
  const file = join(directory, "clusters.db");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const serviceAccountKey = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  try {
    let own = "";
    let given = "";
    const issue = { namespace: "default", serviceAccount: "default" };
    const first = await TestServer.start(file, server.authority);
    try {
      const cluster = await first.server.createCluster({
        name: "given",
        clientCertificateAuthorities: [],
        serviceAccountKey,
        serviceAccountIssuer: "https://issuer.example",
      });
      own = (await first.cluster.issueToken(issue)).token;
      given = (await cluster.issueToken(issue)).token;
      assert.equal(claimsOf(given).iss, "https://issuer.example");
    } finally {
      await first[Symbol.asyncDispose]();
    }
    await using second = await TestServer.start(file, server.authority);
    assert.equal((await second.call("GET", "/apis", bearer(own))).status, 200);
    assert.equal((await second.call("GET", "/apis", bearer(given))).status, 401);
    assert.equal((await second.call("GET", "/../given/apis", bearer(given))).status, 200);
    const { text } = await second.call("GET", "/../given/openid/v1/jwks", { user: undefined });
    assert.match(text, /"alg":"RS256"/);
    assert.ok(!text.includes('"d":'), "only the public key is published");
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("additional token authenticators handle tokens that the built-in ones reject", async () => {
  server.cluster.addTokenAuthenticator(async (token) =>
    token === "sha256~abc" ? { user: "jane", groups: ["system:authenticated:oauth"] } : undefined,
  );
  const user = objectAt(await review("sha256~abc"), "user");
  assert.equal(user.username, "jane");
  assert.deepEqual(user.groups, ["system:authenticated:oauth", "system:authenticated"]);
  assert.equal(await statusWith("sha256~abc"), 200);
  assert.equal(await statusWith("sha256~def"), 401);
});
