import assert from "node:assert/strict";
import { createHash, randomBytes, scryptSync } from "node:crypto";
import { test } from "node:test";
import { listAt, stringAt } from "@keelson/base";
import { hashPassword } from "../../bcrypt/passwords.ts";
import { ApiWorld } from "../testing/api-world.ts";

const client = "openshift-challenging-client";
const password = "abcde-fghij-kmnpq-rstuv";

/** Returns a password hash in the format of earlier releases. */
function scryptHash(): string {
  const salt = randomBytes(16);
  return `$scrypt$${salt.toString("base64url")}$${scryptSync(password, salt, 32).toString("base64url")}`;
}

/** Starts a cluster with the user `kubeadmin`. */
async function start(hash?: string): Promise<ApiWorld> {
  const world = await ApiWorld.start();
  const stored = hash ?? (await hashPassword(password, "salt"));
  await world.client.create(
    { group: "", version: "v1", resource: "secrets" },
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace: "kube-system", name: "kubeadmin" },
      data: { kubeadmin: Buffer.from(stored).toString("base64") },
    },
  );
  return world;
}

const basic = (name: string, secret: string) =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`;

function askFor(world: ApiWorld, parameters: Readonly<Record<string, string>>, authorization?: string) {
  const query = new URLSearchParams({ client_id: client, ...parameters });
  return world.raw("GET", `/oauth/authorize?${query}`, {
    "x-csrf-token": "1",
    ...(authorization ? { authorization } : {}),
  });
}

test("kubeadmin's password is challenged for and returns a token of the cluster's first user", async () => {
  await using world = await start();
  const metadata = await world.raw("GET", "/.well-known/oauth-authorization-server", {});
  assert.equal(
    stringAt(JSON.parse(metadata.text), "authorization_endpoint"),
    `${world.cluster.url}/oauth/authorize`,
  );
  const challenge = await askFor(world, { response_type: "token" });
  assert.equal(challenge.status, 401);
  assert.equal(challenge.headers["www-authenticate"], 'Basic realm="openshift"');
  assert.equal((await askFor(world, { response_type: "token" }, basic("kubeadmin", "wrong"))).status, 401);
  // The only user of the OAuth server is `kubeadmin`.
  assert.equal((await askFor(world, { response_type: "token" }, basic("developer", password))).status, 401);
  const granted = await askFor(world, { response_type: "token" }, basic("kubeadmin", password));
  assert.equal(granted.status, 302);
  const token =
    new URLSearchParams(new URL(String(granted.headers.location)).hash.slice(1)).get("access_token") ?? "";
  const self = await world.call("GET", "/apis/user.openshift.io/v1/users/~", { token });
  assert.equal(stringAt(self.body, "metadata", "name"), "kube:admin");
  assert.equal((await world.call("GET", "/api/v1/nodes", { token })).status, 200);
});

test("the password of a cluster that an earlier release installed is accepted", async () => {
  await using world = await start(scryptHash());
  for (const [secret, status] of [
    ["wrong", 401],
    [password, 302],
  ] as const)
    assert.equal(
      (await askFor(world, { response_type: "token" }, basic("kubeadmin", secret))).status,
      status,
    );
});

test("a code is exchanged once, and only with its verifier", async () => {
  await using world = await start();
  const verifier = randomBytes(32).toString("base64url");
  const parameters = {
    response_type: "code",
    redirect_uri: `${world.cluster.url}/oauth/token/implicit`,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  const granted = await askFor(world, parameters, basic("kubeadmin", password));
  const code = new URL(String(granted.headers.location)).searchParams.get("code") ?? "";
  const exchange = (code_verifier: string) =>
    world.raw(
      "POST",
      "/oauth/token",
      { authorization: basic(client, ""), "content-type": "application/x-www-form-urlencoded" },
      new URLSearchParams({ grant_type: "authorization_code", code, code_verifier }).toString(),
    );
  const refused = await exchange("somebody else");
  assert.equal(refused.status, 400);
  assert.equal(stringAt(JSON.parse(refused.text), "error"), "invalid_grant");
  const response = await exchange(verifier);
  assert.equal(response.status, 200, response.text);
  const token = stringAt(JSON.parse(response.text), "access_token") ?? "";
  const projects = await world.call("GET", "/apis/project.openshift.io/v1/projects", { token });
  assert.ok(listAt(projects.body, "items").length > 0);
  assert.equal((await exchange(verifier)).status, 400);
});

test("redirects to addresses that the client has not registered are rejected", async () => {
  await using world = await start();
  const elsewhere = { response_type: "token", redirect_uri: "https://example.com/" };
  assert.equal((await askFor(world, elsewhere, basic("kubeadmin", password))).status, 400);
  const unknown = { client_id: "nobody", response_type: "token" };
  assert.equal((await askFor(world, unknown, basic("kubeadmin", password))).status, 400);
});
