import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { after, before, test } from "node:test";
import { connectVaultCertificates, type VaultCertificates } from "@keelson/azure";
import { isCoded, Secret, silentLogger, systemClock } from "@keelson/base";
import { clientId, clientSecret, startTestAzure, type TestAzure, tenantId } from "@keelson/sim-azure/testing";
import { keyVaultCertificateIssuer } from "./key-vault-certificate-issuer.ts";

const signal = AbortSignal.timeout(900_000);
const domain = "eastus.example.org";
const issuerName = "OneCertV2-PublicCA";
let azure: TestAzure;
before(async () => {
  azure = await startTestAzure({});
});
after(() => azure[Symbol.asyncDispose]());

/** Returns a clock that waits a thousandth of the requested time but adds the full time to its total. */
function hurried() {
  let waitedMs = 0;
  return {
    now: () => new Date(),
    monotonicMs: () => waitedMs,
    async sleep(ms: number, until: AbortSignal) {
      waitedMs += ms;
      await systemClock.sleep(ms / 1_000, until);
    },
  };
}

function vault(name: string): VaultCertificates {
  return connectVaultCertificates({
    environment: {
      armEndpoint: azure.url,
      loginEndpoint: azure.url,
      audience: "https://management.azure.com/",
      caPem: azure.caPem,
    },
    credential: { tenantId, clientId, clientSecret: new Secret(clientSecret.reveal()) },
    vaultUrl: `${azure.url}/vaults/${name}`,
    logger: silentLogger,
  });
}

const issuerOf = (certificates: VaultCertificates, name = issuerName) =>
  keyVaultCertificateIssuer({ certificates, issuerName: name, domain, clock: hurried() });

test("a certificate is issued once, for its names, and belongs to its key", async () => {
  const certificates = vault("issues");
  const issuer = issuerOf(certificates);
  const names = [`*.apps.demo.${domain}`];
  const pair = await issuer.issue("demo-ingress", names, signal);
  const certificate = new X509Certificate(pair.certificatePem);
  assert.equal(certificate.subject, `CN=*.apps.demo.${domain}`);
  assert.equal(certificate.subjectAltName, `DNS:*.apps.demo.${domain}`);
  assert.ok(certificate.checkPrivateKey(createPrivateKey(pair.privateKeyPem)));
  assert.match(pair.privateKeyPem, /^-----BEGIN PRIVATE KEY-----/);
  assert.deepEqual(await issuer.issue("demo-ingress", names, signal), pair);
});

test("a name that is too long for a common name is an alternative one", async () => {
  const long = `api.${"a".repeat(50)}.${domain}`;
  const { certificatePem } = await issuerOf(vault("long")).issue("long-apiserver", [long], signal);
  const { subject, subjectAltName } = new X509Certificate(certificatePem);
  assert.equal(subject, `CN=reserved.${domain}`);
  assert.equal(subjectAltName, `DNS:reserved.${domain}, DNS:${long}`);
});

test("a certificate of a different CA is issued again, and so is a deleted one", async () => {
  const certificates = vault("renews");
  const names = [`api.demo.${domain}`];
  const before = await issuerOf(certificates, "Self").issue("demo-apiserver", names, signal);
  const issuer = issuerOf(certificates);
  const after = await issuer.issue("demo-apiserver", names, signal);
  assert.notEqual(after.certificatePem, before.certificatePem);
  assert.equal(await certificates.findIssuer("demo-apiserver", signal), issuerName);
  await issuer.forget("demo-apiserver", signal);
  assert.equal(await certificates.findIssuer("demo-apiserver", signal), undefined);
  await issuer.forget("demo-apiserver", signal);
});

test("an issuance that takes longer than 15 minutes is retried later", async () => {
  const never: VaultCertificates = {
    findIssuer: async () => undefined,
    request: async () => {},
    isIssued: async () => false,
    read: () => assert.fail("there is nothing to read"),
    delete: async () => {},
  };
  await assert.rejects(
    issuerOf(never).issue("demo-apiserver", ["api"], signal),
    (error) => isCoded(error, "CertificateNotIssued") && error.retry === "backoff",
  );
});

test("an invalid certificate or key is rejected, and not quoted", async () => {
  const odd: VaultCertificates = {
    findIssuer: async () => issuerName,
    request: () => assert.fail("it is there"),
    isIssued: async () => true,
    read: async () => new Secret("-----BEGIN PRIVATE KEY-----\nsecret"),
    delete: async () => {},
  };
  await assert.rejects(
    issuerOf(odd).issue("demo-apiserver", ["api"], signal),
    (error) => isCoded(error, "InvalidCertificate") && !error.message.includes("BEGIN"),
  );
});
