import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { nameOfToken } from "../oauth/access-token.ts";
import { ApiWorld } from "../testing/api-world.ts";

const base = "/apis/user.openshift.io/v1";

const user = (name: string) => ({ apiVersion: "user.openshift.io/v1", kind: "User", metadata: { name } });

test("the user ~ is the caller", async () => {
  await using world = await ApiWorld.start();
  const alice = await world.user("alice", ["team"]);
  const { status, body } = await world.call("GET", `${base}/users/~`, { user: alice });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(stringAt(body, "metadata", "name"), "alice");
  assert.ok(listAt(body, "groups").includes("team"));
  assert.equal((await world.call("GET", `${base}/users/bob`)).status, 404);
});

test("a mapping ties a user and an identity, and moves between users", async () => {
  await using world = await ApiWorld.start();
  const identity = "htpasswd:alice";
  for (const name of ["alice", "bob"]) await world.call("POST", `${base}/users`, { body: user(name) });
  await world.call("POST", `${base}/identities`, {
    body: {
      apiVersion: "user.openshift.io/v1",
      kind: "Identity",
      metadata: { name: identity },
      providerName: "htpasswd",
      providerUserName: "alice",
    },
  });
  const mapping = (name: string) => ({
    apiVersion: "user.openshift.io/v1",
    kind: "UserIdentityMapping",
    metadata: { name: identity },
    identity: { name: identity },
    user: { name },
  });
  const mappings = `${base}/useridentitymappings`;
  assert.equal((await world.call("POST", mappings, { body: mapping("alice") })).status, 201);
  assert.equal((await world.call("POST", mappings, { body: mapping("alice") })).status, 409);
  const identitiesOf = async (name: string) =>
    listAt((await world.call("GET", `${base}/users/${name}`)).body, "identities");
  assert.deepEqual(await identitiesOf("alice"), [identity]);
  await world.call("PUT", `${mappings}/${identity}`, { body: mapping("bob") });
  assert.deepEqual([await identitiesOf("alice"), await identitiesOf("bob")], [[], [identity]]);
  const stored = await world.call("GET", `${base}/identities/${identity}`);
  assert.equal(stringAt(stored.body, "user", "name"), "bob");
  assert.equal((await world.call("DELETE", `${mappings}/${identity}`)).status, 200);
  assert.equal((await world.call("GET", `${mappings}/${identity}`)).status, 404);
});

test("an OAuth access token authenticates its user and groups until it expires", async () => {
  await using world = await ApiWorld.start();
  const token = (secret: string, expiresIn: number) => ({
    apiVersion: "oauth.openshift.io/v1",
    kind: "OAuthAccessToken",
    metadata: { name: nameOfToken(secret) },
    clientName: "openshift-challenging-client",
    userName: "alice",
    userUID: "",
    expiresIn,
    redirectURI: "https://localhost/oauth/token/implicit",
    scopes: ["user:full"],
  });
  const tokens = "/apis/oauth.openshift.io/v1/oauthaccesstokens";
  await world.call("POST", `${base}/users`, { body: user("alice") });
  await world.call("POST", `${base}/groups`, {
    body: { apiVersion: "user.openshift.io/v1", kind: "Group", metadata: { name: "team" }, users: ["alice"] },
  });
  assert.equal((await world.call("POST", tokens, { body: token("sha256~secret", 86_400) })).status, 201);
  await world.call("POST", tokens, { body: token("sha256~old", 1) });
  const self = await world.call("GET", `${base}/users/~`, { token: "sha256~secret" });
  assert.equal(stringAt(self.body, "metadata", "name"), "alice");
  assert.deepEqual(
    ["team", "system:authenticated:oauth", "system:authenticated"].filter(
      (each) => !listAt(self.body, "groups").includes(each),
    ),
    [],
  );
  const own = await world.call("GET", "/apis/oauth.openshift.io/v1/useroauthaccesstokens", {
    token: "sha256~secret",
  });
  assert.equal(listAt(own.body, "items").length, 2);
  assert.equal((await world.call("GET", `${base}/users/~`, { token: "sha256~wrong" })).status, 401);
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  assert.equal((await world.call("GET", `${base}/users/~`, { token: "sha256~old" })).status, 401);
  assert.equal(valueAt(self.body, "kind"), "User");
});
