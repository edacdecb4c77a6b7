import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, before, beforeEach, test } from "node:test";
import type { VaultSecrets } from "@keelson/azure";
import { createCertificateAuthority, isCoded, type KeyPair, Secret } from "@keelson/base";
import type { HostSettings } from "./host-settings.ts";
import { parseHostSettings, prepareHost } from "./prepare-host.ts";

const signal = AbortSignal.timeout(900_000);
let authority: KeyPair;
before(async () => {
  authority = await createCertificateAuthority("test", 1);
});

/** Versions by secret, oldest first; `null` is one that is disabled. */
function vaultOf(secrets: Readonly<Record<string, readonly (string | null)[]>>): VaultSecrets {
  return {
    listVersions: async (name) =>
      (secrets[name] ?? []).map((value, index) => ({
        version: `v${index}`,
        enabled: value !== null,
        createdAt: new Date(index * 1_000),
        tags: {},
      })),
    get: async (name, version) => {
      const value = secrets[name]?.[Number(version.slice(1))];
      if (typeof value === "string") return new Secret(value);
      throw Object.assign(new Error("no such version"), { statusCode: 404 });
    },
  };
}

const settings: HostSettings = {
  tenantId: "t",
  identityClientId: "c",
  vaultUrl: "https://vault.example.com",
  vaultAudience: "https://vault.azure.net",
  service: {
    database: { url: { $secret: "password", in: "postgres://keelson:{secret}@host/db" } },
    skipTokenKey: { $secret: "key", version: "v0" },
    versions: [{ version: "4.18.1", secret: { $secret: "key" } }],
    workers: 5,
  },
  files: [
    { name: "ca.pem", text: "authority" },
    { name: "kubeconfig", content: { $secret: "key" } },
    { certificateFile: "tls.pem", keyFile: "tls-key.pem", secret: "server" },
  ],
};
/** What the vault holds, but for some of it. */
const secrets = (changes: Parameters<typeof vaultOf>[0] = {}) => ({
  password: ["old", "pa$$&word"],
  key: ["zero", "one", null],
  server: [authority.privateKeyPem + authority.certificatePem],
  ...changes,
});

let directory = "";
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), "keelson-host-")), "run");
});
afterEach(() => rmSync(join(directory, ".."), { recursive: true }));
const prepare = (vault = vaultOf(secrets()), change: Partial<HostSettings> = {}) =>
  prepareHost({ settings: { ...settings, ...change }, vault, directory, signal });

test("the configuration has the secrets in the places of their references, and the files that it names", async () => {
  await prepare();
  assert.deepEqual(JSON.parse(readFileSync(join(directory, "service.json"), "utf8")), {
    database: { url: "postgres://keelson:pa$$&word@host/db" },
    skipTokenKey: "zero",
    versions: [{ version: "4.18.1", secret: "one" }],
    workers: 5,
  });
  assert.equal(readFileSync(join(directory, "ca.pem"), "utf8"), "authority");
  assert.equal(readFileSync(join(directory, "kubeconfig"), "utf8"), "one");
  assert.equal(readFileSync(join(directory, "tls.pem"), "utf8").trim(), authority.certificatePem.trim());
  assert.equal(readFileSync(join(directory, "tls-key.pem"), "utf8").trim(), authority.privateKeyPem.trim());
});

test("what holds secrets is its owner's alone, and nothing half-written stays", async () => {
  await prepare();
  await prepare();
  assert.deepEqual(readdirSync(directory).toSorted(), [
    "ca.pem",
    "kubeconfig",
    "service.json",
    "tls-key.pem",
    "tls.pem",
  ]);
  for (const name of readdirSync(directory)) {
    assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600, name);
  }
});

for (const [name, changes, code] of [
  ["a secret that the vault does not have", () => ({ password: [] }), "MissingSecrets"],
  ["a version that the vault does not have", () => ({ key: [null, "one"] }), "MissingSecrets"],
  ["a certificate without its key", () => ({ server: [authority.certificatePem] }), "UnusableSecret"],
  ["a certificate as PKCS#12", () => ({ server: ["MIIKcAIBAzCC"] }), "UnusableSecret"],
] as const) {
  test(`${name} is named, and no secret shown`, async () => {
    await assert.rejects(prepare(vaultOf(secrets(changes()))), (error) => {
      assert.ok(isCoded(error, code), String(error));
      assert.doesNotMatch(error.message, /pa\$\$|PRIVATE KEY|MIIK/);
      return true;
    });
  });
}

test("settings are read as they were written, and nothing else is", () => {
  assert.deepEqual(parseHostSettings(JSON.stringify(settings), "host.json"), settings);
  for (const text of ["{", "{}", JSON.stringify({ ...settings, more: 1 })]) {
    assert.throws(() => parseHostSettings(text, "host.json"), { code: "InvalidDeployConfiguration" });
  }
});
