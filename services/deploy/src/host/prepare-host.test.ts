import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
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

/** Creates a vault with the given secret versions, oldest first. `null` stands for a disabled version. */
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
    azure: { caFile: "/run/keelson/ca.pem" },
    hive: { kubeconfigFile: "/run/keelson/kubeconfig" },
    tls: { certificateFile: "/run/keelson/tls.pem", keyFile: "/run/keelson/tls-key.pem" },
  },
  files: [
    { name: "ca.pem", text: "authority" },
    { name: "kubeconfig", content: { $secret: "key" } },
    { certificateFile: "tls.pem", keyFile: "tls-key.pem", secret: "server" },
  ],
  parts: ["rp", "mimo-scheduler"],
};
/** Returns the region's secrets, with the secrets in `changes` replaced. */
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

const read = (path: string) => readFileSync(join(directory, path), "utf8");

test("each part gets the secrets and files that its configuration names", async () => {
  await prepare();
  const shared = {
    database: { url: "postgres://keelson:pa$$&word@host/db" },
    versions: [{ version: "4.18.1", secret: "one" }],
    workers: 5,
  };
  assert.deepEqual(JSON.parse(read("rp/service.json")), {
    ...shared,
    skipTokenKey: "zero",
    azure: { caFile: "/run/keelson/rp/ca.pem" },
    hive: { kubeconfigFile: "/run/keelson/rp/kubeconfig" },
    tls: { certificateFile: "/run/keelson/rp/tls.pem", keyFile: "/run/keelson/rp/tls-key.pem" },
  });
  assert.equal(read("rp/ca.pem"), "authority");
  assert.equal(read("rp/kubeconfig"), "one");
  assert.equal(read("rp/tls.pem").trim(), authority.certificatePem.trim());
  assert.equal(read("rp/tls-key.pem").trim(), authority.privateKeyPem.trim());
  assert.deepEqual(JSON.parse(read("mimo-scheduler/service.json")), {
    ...shared,
    azure: { caFile: "/run/keelson/mimo-scheduler/ca.pem" },
  });
  assert.deepEqual(readdirSync(join(directory, "mimo-scheduler")).toSorted(), ["ca.pem", "service.json"]);
});

test("files are readable by the owner and the part's group for every umask, and no partial file remains", async () => {
  const umask = process.umask(0o077);
  try {
    await prepare();
    await prepare();
  } finally {
    process.umask(umask);
  }
  assert.deepEqual(readdirSync(join(directory, "rp")).toSorted(), [
    "ca.pem",
    "kubeconfig",
    "service.json",
    "tls-key.pem",
    "tls.pem",
  ]);
  for (const name of readdirSync(join(directory, "rp"))) {
    assert.equal(statSync(join(directory, "rp", name)).mode & 0o777, 0o640, name);
  }
});

test("parts get the same version of a secret that is renewed while files are written", async () => {
  const renewed = vaultOf(secrets());
  let reads = 0;
  await prepare({ ...renewed, get: async (name) => new Secret(`${name} ${++reads}`) }, { files: [] });
  const [rp, scheduler] = ["rp", "mimo-scheduler"].map((part) => JSON.parse(read(`${part}/service.json`)));
  assert.deepEqual(rp.database, scheduler.database);
  assert.deepEqual(rp.versions, scheduler.versions);
});

for (const [name, changes, code] of [
  ["a secret that the vault does not have", () => ({ password: [] }), "MissingSecrets"],
  ["a version that the vault does not have", () => ({ key: [null, "one"] }), "MissingSecrets"],
  ["a certificate without its key", () => ({ server: [authority.certificatePem] }), "UnusableSecret"],
  ["a certificate as PKCS#12", () => ({ server: ["MIIKcAIBAzCC"] }), "UnusableSecret"],
] as const) {
  test(`${name} is named without a secret`, async () => {
    await assert.rejects(prepare(vaultOf(secrets(changes()))), (error) => {
      assert.ok(isCoded(error, code), String(error));
      assert.doesNotMatch(error.message, /pa\$\$|PRIVATE KEY|MIIK/);
      return true;
    });
  });
}

test("settings are read as they were written, and nothing else is", () => {
  assert.deepEqual(parseHostSettings(JSON.stringify(settings), "host.json"), settings);
  for (const text of [
    "{",
    "{}",
    JSON.stringify({ ...settings, more: 1 }),
    JSON.stringify({ ...settings, parts: ["gateway"] }),
  ]) {
    assert.throws(() => parseHostSettings(text, "host.json"), { code: "InvalidDeployConfiguration" });
  }
});
