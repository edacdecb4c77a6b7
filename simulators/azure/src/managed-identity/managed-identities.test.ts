import assert from "node:assert/strict";
import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { after, before, test } from "node:test";
import {
  azureErrorCode,
  connectBlobContainer,
  type FederatedPrincipal,
  fetchIdentityCredentials,
  isNotFound,
  statusOf,
} from "@keelson/azure";
import { silentLogger } from "@keelson/base";
import { ownerRole, readerRole } from "../authorization/built-in-roles.ts";
import {
  clientId,
  clientSecret,
  location,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  tenantId,
} from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);
const group = "identities";
const contributor = "b24988ac-6180-42a0-ab88-20f7382dd24c";
let azure: TestAzure;

before(async () => {
  azure = await startTestAzure();
  await azure.clients.resources.resourceGroups.createOrUpdate(
    group,
    { location },
    azure.clients.call(signal),
  );
});
after(() => azure[Symbol.asyncDispose]());

const call = () => azure.clients.call(signal);
const api = () => azure.clients.identities;
const create = (name = `id-${randomUUID().slice(0, 8)}`) =>
  api().userAssignedIdentities.createOrUpdate(group, name, { location }, call());
const environment = () => ({
  armEndpoint: azure.url,
  loginEndpoint: azure.url,
  audience: "https://management.azure.com/",
  caPem: azure.caPem,
});
const hasCode = (code: string) => (error: unknown) => azureErrorCode(error) === code;

test("an identity has immutable IDs until its deletion", async () => {
  const made = await create("steady");
  assert.equal(made.tenantId, tenantId);
  assert.notEqual(made.clientId, made.principalId);
  assert.equal(made.type, "Microsoft.ManagedIdentity/userAssignedIdentities");
  const body = { location, tags: { a: "b" }, clientId: "mine", principalId: "mine" };
  const again = await api().userAssignedIdentities.createOrUpdate(group, "Steady", body, call());
  assert.deepEqual([again.clientId, again.principalId], [made.clientId, made.principalId]);
  assert.deepEqual(again.tags, { a: "b" });
  assert.equal(azure.objectIdOf(made.clientId ?? ""), made.principalId);
  await api().userAssignedIdentities.delete(group, "steady", call());
  await assert.rejects(api().userAssignedIdentities.get(group, "steady", call()), isNotFound);
  assert.equal(azure.objectIdOf(made.clientId ?? ""), undefined);
  assert.notEqual((await create("steady")).clientId, made.clientId);
});

test("rights are assigned to an identity as to any principal", async () => {
  const { principalId = "" } = await create();
  const scope = `/subscriptions/${subscriptionId}/resourceGroups/${group}`;
  const roleDefinitionId = `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${contributor}`;
  const made = await azure.clients.authorization.roleAssignments.create(
    scope,
    randomUUID(),
    { principalId, roleDefinitionId, principalType: "ServicePrincipal" },
    call(),
  );
  assert.equal(made.principalId, principalId);
});

const valid = { issuer: "https://issuer.example/a", subject: "system:serviceaccount:a:b", audiences: ["x"] };

for (const [title, change] of Object.entries({
  "an issuer without TLS": { issuer: "http://issuer.example" },
  "an issuer that is not a URL": { issuer: "issuer" },
  "an issuer with a query": { issuer: "https://issuer.example/?a=b" },
  "no subject": { subject: "" },
  "no audience": { audiences: [] },
  "two audiences": { audiences: ["a", "b"] },
})) {
  test(`a federated credential with ${title} is rejected`, async () => {
    const { name = "" } = await create();
    const wrong = { ...valid, ...change };
    await assert.rejects(
      api().federatedIdentityCredentials.createOrUpdate(group, name, "one", wrong, call()),
      hasCode("BadRequest"),
    );
  });
}

test("an issuer and subject are unique per identity, and an identity has at most 20 credentials", async () => {
  const { name = "" } = await create();
  const put = (credential: string, subject: string) =>
    api().federatedIdentityCredentials.createOrUpdate(group, name, credential, { ...valid, subject }, call());
  for (let i = 0; i < 19; i++) await put(`fic-${i}`, `s${i}`);
  await assert.rejects(put("twin", "s3"), hasCode("BadRequest"));
  await put("last", "s19");
  await assert.rejects(put("more", "s20"), hasCode("FederatedIdentityCredentialLimitReached"));
  assert.equal((await put("fic-3", "s3")).subject, "s3");
  const list = api().federatedIdentityCredentials.list(group, name, call());
  assert.equal((await Array.fromAsync(list)).length, 20);
  await assert.rejects(
    api().federatedIdentityCredentials.createOrUpdate(group, "nobody", "fic", valid, call()),
    isNotFound,
  );
  await api().userAssignedIdentities.delete(group, name, call());
  await create(name);
  assert.deepEqual(await Array.fromAsync(api().federatedIdentityCredentials.list(group, name, call())), []);
});

const dataPlane = () => ({
  environment: environment(),
  credential: { tenantId, clientId, clientSecret },
  audience: "https://identity.azure.net",
  hostSuffix: new URL(azure.url).host,
  logger: silentLogger,
});
const identityUrl = () => `${azure.url}/identity/credentials?tid=${tenantId}&oid=1&aid=2`;

test("the credentials of an identity can be used to sign in as it", async () => {
  const identity = await create();
  const resourceId = identity.id ?? "";
  const found = await fetchIdentityCredentials(dataPlane(), identityUrl(), resourceId, signal);
  assert.equal(found.resourceId, resourceId);
  assert.equal(found.objectId, identity.principalId);
  assert.equal(found.principal.clientId, identity.clientId);
  assert.ok(Date.parse(found.renewAfter) < Date.parse(found.cannotRenewAfter));
  const again = await fetchIdentityCredentials(dataPlane(), identityUrl(), resourceId, signal);
  assert.equal(again.principal.certificate.reveal(), found.principal.certificate.reveal());
  await azure.assign(found.objectId, { role: readerRole });
  const asIdentity = azure.connect({ credential: found.principal });
  const same = await asIdentity.identities.userAssignedIdentities.get(group, identity.name ?? "", call());
  assert.equal(same.principalId, identity.principalId);

  const other = await create();
  const stolen = { ...found.principal, clientId: other.clientId ?? "" };
  await assert.rejects(azure.connect({ credential: stolen }).getToken(signal), /AADSTS700027/);
});

test("only services of Azure fetch credentials of identities", async () => {
  const { id = "" } = await create();
  const credential = await azure.register({ role: ownerRole });
  const refused = fetchIdentityCredentials({ ...dataPlane(), credential }, identityUrl(), id, signal);
  await assert.rejects(refused, /AuthorizationFailed/);
});

test("the data plane authenticates callers and names a missing identity", async () => {
  const response = await azure.raw("/identity/credentials?api-version=2024-01-01", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"identityIds":["x"]}',
  });
  assert.equal(response.status, 401);
  assert.equal(
    response.headers["www-authenticate"],
    `Bearer authorization="https://127.0.0.1:${azure.port}/${tenantId}"`,
  );
  await assert.rejects(
    fetchIdentityCredentials(dataPlane(), identityUrl(), "/nowhere", signal),
    /returned status 404 for \/nowhere: IdentityNotFound/,
  );
});

const container = () =>
  connectBlobContainer({
    environment: environment(),
    credential: { tenantId, clientId, clientSecret },
    containerUrl: `${azure.url}/blobs/documents/$web`,
    logger: silentLogger,
  });

test("blobs of the website's container are read by everyone and written by those who are signed in", async () => {
  const blobs = container();
  await blobs.put("a b/c.json", Buffer.from('{"a":1}'), "application/octet-stream", signal);
  const read = () => azure.raw("/web/documents/a%20b/c.json");
  assert.equal((await read()).text, '{"a":1}');
  assert.equal((await azure.raw("/blobs/documents/$web/a%20b/c.json")).status, 401);
  await blobs.delete("a b/c.json", signal);
  await blobs.delete("a b/c.json", signal);
  assert.equal((await read()).headers["x-ms-error-code"], "WebContentNotFound");
  const asNobody = connectBlobContainer({
    environment: environment(),
    credential: { tenantId, clientId, clientSecret },
    containerUrl: `${azure.url}/blobs/documents`,
    logger: silentLogger,
  });
  await assert.rejects(
    asNobody.put("container", Buffer.from("x"), "application/octet-stream", signal),
    (error) => statusOf(error) === 400 && azureErrorCode(error) === "InvalidUri",
  );
});

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const subject = "system:serviceaccount:openshift-machine-api:machine-api-controllers";

/** Creates a token issuer, publishes its keys as a website, and creates an identity that trusts the issuer. */
async function trustedIssuer() {
  const directory = randomUUID();
  const issuer = `${azure.url}/web/documents/${directory}`;
  const publish = (name: string, document: object) =>
    container().put(
      `${directory}/${name}`,
      Buffer.from(JSON.stringify(document)),
      "application/octet-stream",
      signal,
    );
  await publish(".well-known/openid-configuration", { issuer, jwks_uri: `${issuer}/openid/v1/jwks` });
  await publish("openid/v1/jwks", {
    keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }],
  });
  const identity = await create();
  const credential = { issuer, subject, audiences: ["openshift"] };
  await api().federatedIdentityCredentials.createOrUpdate(
    group,
    identity.name ?? "",
    "fic",
    credential,
    call(),
  );
  return { issuer, identity, directory };
}

function tokenOf(claims: object, key = privateKey): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(Date.now() / 1000);
  const signed = `${encode({ alg: "RS256", kid: "1" })}.${encode({ iat: now, nbf: now - 60, exp: now + 600, ...claims })}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}

test("a token of a trusted issuer is exchanged for a token of the identity; errors name the mismatch", async () => {
  const { issuer, identity, directory } = await trustedIssuer();
  const good = { iss: issuer, sub: subject, aud: ["openshift"] };
  const signIn = (token: string) => {
    const credential: FederatedPrincipal = {
      tenantId,
      clientId: identity.clientId ?? "",
      assertion: async () => token,
    };
    return azure.connect({ credential });
  };
  await azure.assign(identity.principalId ?? "", { role: readerRole });
  const asIdentity = signIn(tokenOf(good));
  const own = await asIdentity.identities.userAssignedIdentities.get(group, identity.name ?? "", call());
  assert.equal(own.clientId, identity.clientId);

  const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  for (const [code, token] of [
    [700211, tokenOf({ ...good, iss: `${issuer}/other` })],
    [700213, tokenOf({ ...good, sub: "system:serviceaccount:default:default" })],
    [700212, tokenOf({ ...good, aud: ["kubernetes"] })],
    [50013, tokenOf(good, stranger)],
    [700024, tokenOf({ ...good, exp: 1 })],
    [50027, "nonsense"],
  ] as const) {
    await assert.rejects(signIn(token).getToken(signal), new RegExp(`AADSTS${code}: `), `${code}`);
  }
  await container().delete(`${directory}/openid/v1/jwks`, signal);
  await assert.rejects(signIn(tokenOf(good)).getToken(signal), /AADSTS50166: /);
});
