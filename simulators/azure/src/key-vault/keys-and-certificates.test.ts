import assert from "node:assert/strict";
import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import { after, before, test } from "node:test";
import { setDefaultCACertificates } from "node:tls";
import { ClientSecretCredential } from "@azure/identity";
import { CertificateClient, type CertificatePolicy } from "@azure/keyvault-certificates";
import { CryptographyClient, KeyClient } from "@azure/keyvault-keys";
import { SecretClient } from "@azure/keyvault-secrets";
import { createCertificateAuthority, issueCertificate, signCertificateRequest } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { nonEmptyStringAt } from "../base/json.ts";
import { azureHostNames } from "../proxy/azure-hosts.ts";
import { refusal } from "../testing/sdk.ts";
import { clientId, clientSecret, startTestAzure, type TestAzure, tenantId } from "../testing/test-azure.ts";

/** Tests the official SDKs with the host names that vaults have in Azure. */
let azure: TestAzure;
let authority: Awaited<ReturnType<typeof createCertificateAuthority>>;
const clock = new ManualClock(new Date());

before(async () => {
  authority = await createCertificateAuthority("vault test CA", 1);
  setDefaultCACertificates([authority.certificatePem]);
  const dnsNames = azureHostNames;
  const tls = await issueCertificate(authority, {
    commonName: "azure",
    dnsNames,
    usage: "server",
    validDays: 1,
  });
  azure = await startTestAzure({ clock, proxy: { host: "127.0.0.1", port: 0, tls } });
});
after(() => azure[Symbol.asyncDispose]());

function clients(vault: string) {
  const proxyOptions = { host: "http://127.0.0.1", port: azure.proxyPort ?? 0 };
  const options = { proxyOptions, retryOptions: { maxRetries: 0 } };
  const credential = new ClientSecretCredential(tenantId, clientId, clientSecret.reveal(), options);
  const url = `https://${vault}.vault.azure.net`;
  return {
    certificates: new CertificateClient(url, credential, options),
    secrets: new SecretClient(url, credential, options),
    keys: new KeyClient(url, credential, options),
    cryptography: (id: string) => new CryptographyClient(id, credential, options),
  };
}

const ingress: CertificatePolicy = {
  issuerName: "OneCertV2-PublicCA",
  subject: "CN=*.apps.demo.eastus.example.com",
  subjectAlternativeNames: { dnsNames: ["*.apps.demo.eastus.example.com"] },
  contentType: "application/x-pem-file",
  keyType: "RSA",
  keySize: 2048,
  exportable: true,
  validityInMonths: 3,
  enhancedKeyUsage: ["1.3.6.1.5.5.7.3.1"],
  keyUsage: ["digitalSignature", "keyEncipherment"],
  lifetimeActions: [{ action: "AutoRenew", daysBeforeExpiry: 30 }],
};
const quick = { intervalInMs: 1 };

test("a certificate of a public issuer is created, with its key and its secret in PEM", async () => {
  const { certificates, secrets, keys } = clients("issued");
  const poller = await certificates.beginCreateCertificate("demo-ingress", ingress, {
    ...quick,
    tags: { a: "b" },
  });
  const made = await poller.pollUntilDone();
  assert.equal(made.policy?.issuerName, "OneCertV2-PublicCA");
  assert.deepEqual(made.properties.tags, { a: "b" });
  assert.equal(made.keyId, `https://issued.vault.azure.net/keys/demo-ingress/${made.properties.version}`);
  const { value = "", properties } = await secrets.getSecret("demo-ingress");
  assert.deepEqual(
    [properties.contentType, properties.managed, properties.version],
    ["application/x-pem-file", true, made.properties.version],
  );
  const certificate = new X509Certificate(value);
  assert.ok(certificate.checkPrivateKey(createPrivateKey(value)));
  assert.equal(certificate.subjectAltName, "DNS:*.apps.demo.eastus.example.com");
  assert.deepEqual(certificate.keyUsage, ["1.3.6.1.5.5.7.3.1"]);
  assert.deepEqual(Buffer.from(made.cer ?? []), certificate.raw);
  assert.equal(value.match(/BEGIN CERTIFICATE/g)?.length, 2, "its authority stands behind it");
  const issuer = new X509Certificate(value.slice(value.lastIndexOf("-----BEGIN CERTIFICATE")));
  assert.ok(certificate.verify(issuer.publicKey));
  const days = (Date.parse(certificate.validTo) - clock.now().getTime()) / 86_400_000;
  assert.ok(days > 88 && days < 93, `three months are ${days} days`);
  assert.equal((await keys.getKey("demo-ingress")).properties.managed, true);
  await assert.rejects(secrets.beginDeleteSecret("demo-ingress"), refusal(403, "Forbidden"));
});

test("a subscription with a configured public CA signs with it", async () => {
  const given = await createCertificateAuthority("given CA", 1);
  await using other = await startTestAzure({ publicAuthority: given });
  const token = await other.clients.getToken(AbortSignal.timeout(900_000), "https://vault.azure.net");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const at = (path: string) => `/vaults/given/${path}?api-version=7.5`;
  const policy = { issuer: { name: "OneCertV2-PublicCA" }, x509_props: { subject: "CN=x" } };
  const call = { method: "POST", headers, body: JSON.stringify({ policy }) };
  assert.equal((await other.raw(at("certificates/c/create"), call)).status, 202);
  const { json } = await other.raw(at("certificates/c"), { headers });
  const certificate = new X509Certificate(Buffer.from(nonEmptyStringAt(json, "cer") ?? "", "base64"));
  assert.ok(certificate.verify(new X509Certificate(given.certificatePem).publicKey));
});

test("a certificate can be self-signed; by default its secret is PKCS#12", async () => {
  const { certificates, secrets } = clients("selfmade");
  const policy = { issuerName: "Self", subject: "CN=me, O=Example" };
  const made = await (await certificates.beginCreateCertificate("own", policy, quick)).pollUntilDone();
  const certificate = new X509Certificate(Buffer.from(made.cer ?? []));
  assert.equal(certificate.issuer, certificate.subject);
  assert.ok(certificate.verify(certificate.publicKey));
  const secret = await secrets.getSecret("own");
  assert.equal(secret.properties.contentType, "application/x-pkcs12");
  const copy = await certificates.importCertificate("copy", Buffer.from(secret.value ?? "", "base64"));
  assert.deepEqual(copy.cer, made.cer, "what is exported can be imported");
  assert.equal(copy.policy?.subject, "O=Example, CN=me");
});

test("a certificate is renewed thirty days before its expiry under its own policy", async () => {
  const { certificates } = clients("renewed");
  const { properties } = await (
    await certificates.beginCreateCertificate("c", ingress, quick)
  ).pollUntilDone();
  await clock.advance(40 * 86_400_000);
  assert.equal(
    (await clients("renewed").certificates.getCertificate("c")).properties.version,
    properties.version,
  );
  await clock.advance(30 * 86_400_000);
  const later = clients("renewed").certificates;
  const renewed = await later.getCertificate("c");
  assert.notEqual(renewed.properties.version, properties.version);
  assert.ok((renewed.properties.expiresOn?.getTime() ?? 0) > (properties.expiresOn?.getTime() ?? 0));
  assert.equal((await Array.fromAsync(later.listPropertiesOfCertificateVersions("c"))).length, 2);
  await later.updateCertificatePolicy("c", {
    ...ingress,
    lifetimeActions: [{ action: "EmailContacts", daysBeforeExpiry: 30 }],
  });
  assert.equal((await later.getCertificatePolicy("c")).lifetimeActions?.[0]?.action, "EmailContacts");
  await clock.advance(80 * 86_400_000);
  const still = clients("renewed").certificates;
  assert.equal((await still.getCertificate("c")).properties.version, renewed.properties.version);
});

test("an externally signed request waits for the merge, or is cancelled", async () => {
  const { certificates } = clients("merged");
  const policy = { issuerName: "Unknown", subject: "CN=elsewhere" };
  await certificates.beginCreateCertificate("c", policy, quick);
  const { certificateOperation } = (
    await certificates.getCertificateOperation("c", quick)
  ).getOperationState();
  const { csr, status } = certificateOperation ?? {};
  assert.equal(status, "inProgress");
  assert.deepEqual((await certificates.getCertificate("c")).properties.enabled, false);
  await assert.rejects(certificates.beginCreateCertificate("c", policy, quick), refusal(409, "Conflict"));
  const request = `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(csr ?? []).toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
  const now = new Date();
  const terms = {
    notBefore: now,
    notAfter: new Date(now.getTime() + 3_600_000),
    keyUsage: 1,
    extendedKeyUsage: [],
  };
  const signed = new X509Certificate(await signCertificateRequest(authority, request, terms));
  const merged = await certificates.mergeCertificate("c", [signed.raw]);
  assert.deepEqual(Buffer.from(merged.cer ?? []), signed.raw);
  const second = await certificates.beginCreateCertificate("other", policy, quick);
  await second.cancelOperation();
  const operation = await certificates.getCertificateOperation("other", quick);
  assert.equal(operation.getOperationState().certificateOperation?.status, "cancelled");
  await certificates.deleteCertificateOperation("other");
  await assert.rejects(
    certificates.getCertificateOperation("other", quick),
    refusal(404, "CertificateNotFound"),
  );
});

test("PEM is imported; it is disabled and tagged, listed, deleted, recovered and purged with key and secret", async () => {
  const { certificates, secrets, keys } = clients("imported");
  const pair = await issueCertificate(authority, {
    commonName: "pem",
    usage: "client",
    keyType: "rsa",
    validDays: 1,
  });
  const pem = Buffer.from(`${pair.privateKeyPem}${pair.certificatePem}`);
  const made = await certificates.importCertificate("c", pem, {
    policy: { contentType: "application/x-pem-file" },
  });
  assert.deepEqual(Buffer.from(made.cer ?? []), new X509Certificate(pair.certificatePem).raw);
  const { version = "" } = made.properties;
  const off = await certificates.updateCertificateProperties("c", version, {
    enabled: false,
    tags: { t: "1" },
  });
  assert.deepEqual([off.properties.enabled, off.properties.tags], [false, { t: "1" }]);
  const listed = await Array.fromAsync(certificates.listPropertiesOfCertificates());
  assert.deepEqual(
    listed.map(({ name, enabled }) => [name, enabled]),
    [["c", false]],
  );
  const deleted = await (await certificates.beginDeleteCertificate("c", quick)).pollUntilDone();
  assert.equal(deleted.recoveryId, "https://imported.vault.azure.net/deletedcertificates/c");
  await assert.rejects(secrets.getSecret("c"), refusal(404, "SecretNotFound"));
  await assert.rejects(keys.getKey("c"), refusal(404, "KeyNotFound"));
  await assert.rejects(certificates.importCertificate("c", pem), refusal(409, "Conflict"));
  await (await certificates.beginRecoverDeletedCertificate("c", quick)).pollUntilDone();
  assert.match((await secrets.getSecret("c")).value ?? "", /BEGIN PRIVATE KEY/);
  await (await certificates.beginDeleteCertificate("c", quick)).pollUntilDone();
  await certificates.purgeDeletedCertificate("c");
  assert.equal((await Array.fromAsync(certificates.listDeletedCertificates())).length, 0);
  assert.equal((await Array.fromAsync(secrets.listDeletedSecrets())).length, 0);
});

test("an issuer signs after its registration, and its password is never returned", async () => {
  const { certificates } = clients("issuers");
  const policy = { ...ingress, issuerName: "acme" };
  await assert.rejects(certificates.beginCreateCertificate("c", policy, quick), refusal(400, "BadParameter"));
  const issuer = await certificates.createIssuer("acme", "DigiCert", { accountId: "me", password: "secret" });
  assert.deepEqual(
    [issuer.id, issuer.provider, issuer.accountId, issuer.password],
    ["https://issuers.vault.azure.net/certificates/issuers/acme", "DigiCert", "me", undefined],
  );
  await (await certificates.beginCreateCertificate("c", policy, quick)).pollUntilDone();
  assert.equal((await certificates.updateIssuer("acme", { accountId: "you" })).accountId, "you");
  const ids = await Array.fromAsync(certificates.listPropertiesOfIssuers(), ({ id }) => id);
  assert.deepEqual(ids, [issuer.id]);
  await certificates.deleteIssuer("acme");
  await assert.rejects(certificates.getIssuer("acme"), refusal(404, "CertificateIssuerNotFound"));
});

for (const algorithm of ["RSA-OAEP", "RSA-OAEP-256"] as const) {
  test(`a key wraps and unwraps, encrypts and decrypts with ${algorithm}`, async () => {
    const { keys, cryptography } = clients("crypto");
    const key = await keys.createRsaKey(`key-${algorithm}`, { keySize: 2048 });
    const secret = randomBytes(32);
    const client = cryptography(key.id ?? "");
    const wrapped = await client.wrapKey(algorithm, secret);
    assert.deepEqual(Buffer.from((await client.unwrapKey(algorithm, wrapped.result)).result), secret);
    const { result } = await keys.getCryptographyClient(key.name).encrypt({ algorithm, plaintext: secret });
    assert.deepEqual(Buffer.from((await client.decrypt({ algorithm, ciphertext: result })).result), secret);
    await assert.rejects(
      client.decrypt({ algorithm, ciphertext: randomBytes(256) }),
      refusal(400, "BadParameter"),
    );
  });
}

test("keys have versions, uses and a bin", async () => {
  const { keys, cryptography } = clients("keys");
  const first = await keys.createRsaKey("k", { keyOps: ["wrapKey"], tags: { a: "b" } });
  const second = await keys.rotateKey("k");
  assert.notEqual(first.properties.version, second.properties.version);
  assert.deepEqual(second.keyOperations, ["wrapKey"]);
  assert.equal((await Array.fromAsync(keys.listPropertiesOfKeyVersions("k"))).length, 2);
  await assert.rejects(
    cryptography(second.id ?? "").unwrapKey("RSA-OAEP", randomBytes(256)),
    /key_ops|not permitted|Forbidden|unwrapKey/i,
  );
  const off = await keys.updateKeyProperties("k", second.properties.version ?? "", { enabled: false });
  assert.equal(off.properties.enabled, false);
  const ec = await keys.createEcKey("e", { curve: "P-256" });
  assert.deepEqual([ec.keyType, ec.key?.crv], ["EC", "P-256"]);
  const jwk = createPrivateKey(
    (await issueCertificate(undefined, { commonName: "x", usage: "both", keyType: "rsa", validDays: 1 }))
      .privateKeyPem,
  ).export({ format: "jwk" });
  const bytes = (text = "") => Buffer.from(text, "base64url");
  const { n, e, d, p, q, dp, dq, qi } = jwk;
  const imported = await keys.importKey("i", {
    kty: "RSA",
    n: bytes(n),
    e: bytes(e),
    d: bytes(d),
    p: bytes(p),
    q: bytes(q),
    dp: bytes(dp),
    dq: bytes(dq),
    qi: bytes(qi),
  });
  assert.deepEqual(Buffer.from(imported.key?.n ?? []), bytes(n));
  assert.equal(imported.key?.d, undefined, "the private half stays inside");
  const names = await Array.fromAsync(keys.listPropertiesOfKeys(), ({ name }) => name);
  assert.deepEqual(names, ["e", "i", "k"]);
  await (await keys.beginDeleteKey("k", quick)).pollUntilDone();
  await assert.rejects(keys.createRsaKey("k"), refusal(409, "Conflict"));
  await (await keys.beginRecoverDeletedKey("k", quick)).pollUntilDone();
  assert.equal((await keys.getKey("k", { version: first.properties.version ?? "" })).properties.tags?.a, "b");
});
