import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import {
  ClientAssertionCredential,
  ClientCertificateCredential,
  ClientSecretCredential,
  DeviceCodeCredential,
  type TokenCredential,
} from "@azure/identity";
import { issueCertificate, type JsonValue } from "@keelson/base";
import { decodeJwt } from "jose";
import { nonEmptyStringAt } from "../base/json.ts";
import { clientId, clientSecret, startTestAzure, type TestAzure, tenantId } from "../testing/test-azure.ts";

const armScope = "https://management.azure.com/.default";
const exchangeAudience = "api://AzureADTokenExchange";
const administrator = "administrator@keelson.local";
let azure: TestAzure;

before(async () => {
  azure = await startTestAzure();
});
after(() => azure[Symbol.asyncDispose]());

const options = () => ({
  authorityHost: azure.url,
  disableInstanceDiscovery: true,
  tlsOptions: { ca: azure.caPem },
});

async function tokenOf(credential: TokenCredential, scope = armScope): Promise<string> {
  const abortSignal = AbortSignal.timeout(900_000);
  return (await credential.getToken(scope, { abortSignal }))?.token ?? "";
}

async function graph(method: string, path: string, body: JsonValue) {
  const own = new ClientSecretCredential(tenantId, clientId, clientSecret.reveal(), options());
  const token = await tokenOf(own, "https://graph.microsoft.com/.default");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await azure.raw(`/v1.0/${path}`, { method, headers, body: JSON.stringify(body) });
  assert.ok(response.status < 300, response.text);
  return response.json;
}

async function newApplication() {
  const made = await graph("POST", "applications", { displayName: `app-${randomUUID()}` });
  const [id = "", appId = ""] = [nonEmptyStringAt(made, "id"), nonEmptyStringAt(made, "appId")];
  const principal = await graph("POST", "servicePrincipals", { appId });
  return { id, appId, objectId: nonEmptyStringAt(principal, "id") ?? "" };
}

test("ClientSecretCredential signs an application of Graph in", async () => {
  const { id, appId, objectId } = await newApplication();
  const added = await graph("POST", `applications/${id}/addPassword`, {});
  const credential = new ClientSecretCredential(
    tenantId,
    appId,
    nonEmptyStringAt(added, "secretText") ?? "",
    options(),
  );
  const claims = decodeJwt(await tokenOf(credential));
  assert.deepEqual([claims.appid, claims.oid, claims.tid], [appId, objectId, tenantId]);
});

test("clients can sign in as with an Active Directory server", async () => {
  const credential = new ClientSecretCredential("adfs", clientId, clientSecret.reveal(), options());
  const claims = decodeJwt(await tokenOf(credential, `${azure.url}//.default`));
  assert.deepEqual([claims.aud, claims.tid], [`${azure.url}/`, tenantId]);
});

test("ClientCertificateCredential signs in only with a registered certificate", async () => {
  const { id, appId, objectId } = await newApplication();
  const issue = () =>
    issueCertificate(undefined, { commonName: appId, usage: "client", validDays: 1, keyType: "rsa" });
  const [own, other] = await Promise.all([issue(), issue()]);
  const der = own.certificatePem.replace(/-----[^-]+-----|\s/g, "");
  const keyCredentials = [{ type: "AsymmetricX509Cert", usage: "Verify", key: der }];
  await graph("PATCH", `applications/${id}`, { keyCredentials });
  const signIn = ({ certificatePem, privateKeyPem }: typeof own, sendCertificateChain: boolean) =>
    tokenOf(
      new ClientCertificateCredential(
        tenantId,
        appId,
        { certificate: `${certificatePem}\n${privateKeyPem}` },
        { ...options(), sendCertificateChain },
      ),
    );
  assert.equal(decodeJwt(await signIn(own, false)).oid, objectId);
  assert.equal(decodeJwt(await signIn(own, true)).oid, objectId);
  await assert.rejects(signIn(other, false), /AADSTS700027/);
  await assert.rejects(signIn(other, true), /AADSTS700027/);
});

test("ClientAssertionCredential signs in with a token that a federated credential trusts", async () => {
  const { id, appId, objectId } = await newApplication();
  const outside = new ClientSecretCredential(tenantId, clientId, clientSecret.reveal(), options());
  const assertion = () => tokenOf(outside, `${exchangeAudience}/.default`);
  const signIn = () => tokenOf(new ClientAssertionCredential(tenantId, appId, assertion, options()));
  await assert.rejects(signIn(), /AADSTS700211/);
  const federation = {
    name: "outside",
    issuer: `${azure.url}/${tenantId}/v2.0`,
    subject: "someone else",
    audiences: [exchangeAudience],
  };
  const path = `applications/${id}/federatedIdentityCredentials`;
  const made = await graph("POST", path, federation);
  await assert.rejects(signIn(), /AADSTS700213/);
  await graph("PATCH", `${path}/${nonEmptyStringAt(made, "id")}`, {
    subject: azure.objectIdOf(clientId) ?? "",
  });
  assert.equal(decodeJwt(await signIn()).oid, objectId);
});

test("DeviceCodeCredential signs in the user that was selected in the browser", async () => {
  const credential = new DeviceCodeCredential({
    ...options(),
    tenantId,
    async userPromptCallback({ userCode, verificationUri }) {
      const { pathname } = new URL(verificationUri);
      const shown = await azure.raw(pathname);
      const cookie = String(shown.headers["set-cookie"]).split(";")[0] ?? "";
      const token = /name="token" value="([^"]+)"/.exec(shown.text)?.[1] ?? "";
      const user = azure.objectIdOf(administrator) ?? "";
      const body = new URLSearchParams({ token, code: userCode, user, choice: "sign-in" }).toString();
      const headers = { cookie, "content-type": "application/x-www-form-urlencoded" };
      assert.equal((await azure.raw(pathname, { method: "POST", headers, body })).status, 200);
    },
  });
  const claims = decodeJwt(await tokenOf(credential));
  assert.deepEqual([claims.upn, claims.idtyp, claims.scp], [administrator, "user", "user_impersonation"]);
  assert.equal(
    decodeJwt(await tokenOf(credential, "https://vault.azure.net/.default")).aud,
    "https://vault.azure.net",
  );
});
