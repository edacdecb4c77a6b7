import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessToken, signIn } from "@keelson/azure";
import { issueCertificate, type KeyPair } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { startTestAzure, type TestAzure, tenantId } from "@keelson/sim-azure/testing";
import { firstPartyPrincipal, firstPartyProblems } from "./first-party.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-first-party-"));
const files = {
  certificateFile: join(directory, "application.pem"),
  keyFile: join(directory, "application-key.pem"),
};
const signal = AbortSignal.timeout(900_000);
let azure: TestAzure;

before(async () => {
  azure = await startTestAzure();
});
after(async () => {
  await azure[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

const issue = () =>
  issueCertificate(undefined, { commonName: "service", usage: "client", validDays: 1, keyType: "rsa" });

function write({ certificatePem, privateKeyPem }: KeyPair): void {
  writeFileSync(files.certificateFile, certificatePem);
  writeFileSync(files.keyFile, privateKeyPem);
}

test("an application needs a secret, or a certificate with its key", () => {
  const fault = ["/firstParty needs clientSecret, or certificateFile and keyFile, and not both"];
  assert.deepEqual(firstPartyProblems({ clientSecret: "s" }), []);
  assert.deepEqual(firstPartyProblems({ ...files }), []);
  assert.deepEqual(firstPartyProblems(undefined), []);
  for (const wrong of [
    {},
    { certificateFile: "c" },
    { keyFile: "k" },
    { clientSecret: "s", ...files },
    { clientSecret: "s", keyFile: "k" },
  ])
    assert.deepEqual(firstPartyProblems(wrong), fault);
});

test("a running process signs in with the certificate that replaced the one at its start", async () => {
  const [first, second] = [await issue(), await issue()];
  const { clientId } = await azure.register();
  await azure.useCertificates(clientId, [first]);
  write(first);
  const clock = new ManualClock();
  const config = { clientId, ...files };
  const environment = {
    armEndpoint: azure.url,
    loginEndpoint: azure.url,
    audience: "https://management.azure.com/",
    caPem: azure.caPem,
  };
  const { tokens } = signIn(
    environment,
    firstPartyPrincipal(tenantId, config, () => config, clock),
  );
  // Requests a token. Each call needs a different audience, because the credential caches the token of each audience.
  const tokenFor = (audience: string) => accessToken(tokens, environment, tenantId, signal, audience);
  assert.ok(await tokenFor("https://first.example.org"));

  await azure.useCertificates(clientId, [second]);
  await assert.rejects(tokenFor("https://revoked.example.org"), { code: "InvalidCredentials" });
  writeFileSync(files.certificateFile, second.certificatePem);
  await clock.advance(10_000);
  await assert.rejects(tokenFor("https://half.example.org"), { code: "InvalidCredentials" });
  writeFileSync(files.keyFile, second.privateKeyPem);
  await assert.rejects(tokenFor("https://early.example.org"), { code: "InvalidCredentials" });
  await clock.advance(10_000);
  assert.ok(await tokenFor("https://second.example.org"));
});

test("a certificate that cannot be read at the start is named", () => {
  const config = { clientId: "c", certificateFile: join(directory, "absent.pem"), keyFile: files.keyFile };
  const principal = firstPartyPrincipal(tenantId, config, () => config);
  assert.ok("certificate" in principal);
  assert.throws(() => principal.certificate.reveal(), {
    code: "InvalidConfiguration",
    message: /^firstParty\.certificateFile: .*absent\.pem cannot be used/,
  });
});
