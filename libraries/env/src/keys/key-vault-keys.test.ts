import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { connectVault, type VaultSecrets } from "@keelson/azure";
import { createLogger, Secret, silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import {
  create,
  defineCollection,
  openDatabase,
  type RefreshedKeyring,
  type ResealDocument,
  Resealer,
  replace,
} from "@keelson/database";
import { memoryDriver } from "@keelson/database/testing";
import { clientId, clientSecret, startTestAzure, type TestAzure, tenantId } from "@keelson/sim-azure/testing";
import { openKeyring } from "./encryption-keys.ts";

const signal = AbortSignal.timeout(900_000);
const refreshMs = 60_000;
const secretName = "keys";
/** Clock that the vault and the service share. */
const clock = new ManualClock(new Date());
let azure: TestAzure;
before(async () => {
  azure = await startTestAzure({ clock });
});
after(() => azure[Symbol.asyncDispose]());

const newKey = () => randomBytes(32).toString("base64");
const textOf = (key: Uint8Array | undefined) => Buffer.from(key ?? []).toString("base64");

/** Simulated key vault with clients for its owner and for the service. */
class TestVault {
  readonly url: string;
  readonly outcomes: string[] = [];
  /** IDs of the versions that the service has fetched. */
  readonly fetched: string[] = [];
  isDown = false;

  constructor(url = `${azure.url}/vaults/v${randomUUID().slice(0, 8)}`) {
    this.url = url;
  }

  async #call(method: string, path: string, body: unknown): Promise<string> {
    const token = await azure.clients.getToken(signal, "https://vault.azure.net");
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const { pathname } = new URL(this.url);
    const call = { method, headers, body: JSON.stringify(body) };
    const { status, text } = await azure.raw(`${pathname}/secrets/${path}?api-version=7.5`, call);
    assert.equal(status, 200, text);
    return String(JSON.parse(text).id).split("/").at(-1) ?? "";
  }

  /** Adds a version and returns its ID. */
  add(value: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return this.#call("PUT", secretName, { value, ...more });
  }

  async disable(version: string): Promise<void> {
    await this.#call("PATCH", `${secretName}/${version}`, { attributes: { enabled: false } });
  }

  async tag(version: string, keyId: string): Promise<void> {
    await this.#call("PATCH", `${secretName}/${version}`, { tags: { keyId } });
  }

  open(logger = silentLogger, secret = new Secret(clientSecret.reveal())): Promise<RefreshedKeyring> {
    const keyVault = { url: this.url, secretName, audience: "https://vault.azure.net" };
    return openKeyring(
      { keyVault, refreshMs },
      {
        connectVault: (vaultUrl, audience) => this.#observed(vaultUrl, audience, secret),
        onReading: (outcome) => this.outcomes.push(outcome),
        clock,
        logger,
        signal,
      },
    );
  }

  /**
   * Returns a real vault client. Records the versions that it fetches. If `isDown` is set, the client connects to an address at
   * which no server listens.
   */
  #observed(vaultUrl: string, audience: string, secret: Secret): VaultSecrets {
    const environment = {
      armEndpoint: azure.url,
      loginEndpoint: azure.url,
      audience: "https://management.azure.com/",
      caPem: azure.caPem,
    };
    const credential = { tenantId, clientId, clientSecret: secret };
    const connect = (url: string) =>
      connectVault({ environment, credential, vaultUrl: url, audience, logger: silentLogger });
    const up = connect(vaultUrl);
    const down = connect(`${azure.url}/nothing`);
    return {
      listVersions: (name, stop) => (this.isDown ? down : up).listVersions(name, stop),
      get: (name, version, stop) => {
        this.fetched.push(version);
        return up.get(name, version, stop);
      },
    };
  }
}

test("every enabled version is a key; a new one seals once all processes have had the time to read it", async () => {
  const vault = new TestVault();
  const [one, two] = [newKey(), newKey()];
  const first = await vault.add(one);
  await using keyring = await vault.open();
  assert.equal(keyring.currentKeyId(), first, "the only one, however young");
  await clock.advance(2 * refreshMs);
  const second = await vault.add(`${two}\n`);
  await keyring.refresh(signal);
  assert.equal(keyring.currentKeyId(), first);
  assert.deepEqual([textOf(keyring.key(first)), textOf(keyring.key(second))], [one, two]);
  await clock.advance(2 * refreshMs);
  while (keyring.currentKeyId() !== second) await keyring.refresh(signal);
  assert.deepEqual(vault.fetched, [first, second], "a version is fetched once");
  await vault.disable(first);
  await clock.advance(refreshMs);
  while (keyring.key(first)) await turn();
});

test("a version waits for its begin; a tag gives it the ID that it had elsewhere", async () => {
  const vault = new TestVault();
  const old = await vault.add(newKey());
  await clock.advance(2 * refreshMs);
  const begin = Math.floor(clock.now().getTime() / 1_000) + 600;
  await vault.add(newKey(), { attributes: { nbf: begin }, tags: { keyId: "2026-11" } });
  await clock.advance(2 * refreshMs);
  await using keyring = await vault.open();
  assert.equal(keyring.currentKeyId(), old);
  assert.ok(keyring.key("2026-11"));
  await clock.advance(600_000);
  while (keyring.currentKeyId() !== "2026-11") await keyring.refresh(signal);
});

interface Note {
  readonly id: string;
  readonly partitionKey: string;
  readonly key: string;
  readonly openShiftCluster: { readonly sshKey: Secret };
}

test("after a rotation in the vault, new writes use the new key, and old documents are readable and encrypted again", async () => {
  const vault = new TestVault();
  const first = await vault.add(newKey());
  await using keyring = await vault.open();
  const notes = {
    ...defineCollection<Note>({
      name: "openshift_clusters",
      keys: { key: (note) => note.key },
      unique: ["key"],
      secretPaths: ["openShiftCluster.sshKey"],
    }),
    queued: () => false,
  };
  const jobs = {
    ...defineCollection<ResealDocument>({ name: "background_jobs", keys: {}, unique: [], secretPaths: [] }),
    queued: () => false,
  };
  await using database = await openDatabase({
    driver: await memoryDriver(),
    definitions: { notes, jobs },
    keyring,
    logger: silentLogger,
    signal,
  });
  const all = database.collections.notes;
  const put = (id: string) => {
    const note = { id, partitionKey: "p", key: id, openShiftCluster: { sshKey: new Secret(`of ${id}`) } };
    return database.commit("p", [create(all, note)], { signal });
  };
  const reveal = async (id: string) =>
    (await all.find("p", id, signal))?.document.openShiftCluster.sshKey.reveal();
  await put("a");
  await put("b");

  await clock.advance(2 * refreshMs);
  const second = await vault.add(newKey());
  await clock.advance(2 * refreshMs);
  while (keyring.currentKeyId() !== second) await keyring.refresh(signal);
  await put("c");
  assert.equal(await all.countOutdated(signal), 2);
  assert.equal(await reveal("a"), "of a");
  const a = await all.find("p", "a", signal);
  assert.ok(a);
  await database.commit("p", [replace(all, a, a.document)], { signal });
  assert.equal(await all.countOutdated(signal), 1);
  const resealer = new Resealer({
    database,
    jobs: database.collections.jobs,
    keyring,
    owner: "one",
    everyMs: 60_000,
    outdated: () => undefined,
    clock,
    logger: silentLogger,
  });
  assert.deepEqual(await resealer.runOnce(signal), { resealed: 1, passedOver: 0, failed: 0 });
  await vault.disable(first);
  await keyring.refresh(signal);
  assert.equal(keyring.key(first), undefined);
  assert.deepEqual(await Promise.all(["a", "b", "c"].map(reveal)), ["of a", "of b", "of c"]);
});

test("an unreachable vault leaves the keys in use, and is logged and counted, without a key", async () => {
  const vault = new TestVault();
  const value = newKey();
  const first = await vault.add(value);
  const lines: string[] = [];
  const logger = createLogger({
    level: "trace",
    destination: { write: (line: string) => lines.push(line) },
  });
  await using keyring = await vault.open(logger);
  vault.isDown = true;
  await keyring.refresh(signal);
  assert.equal(textOf(keyring.key(first)), value);
  vault.isDown = false;
  const short = await vault.add("c2hvcnQ=");
  await keyring.refresh(signal);
  assert.equal(keyring.currentKeyId(), first);
  await vault.disable(short);
  await vault.add(newKey());
  await keyring.refresh(signal);
  assert.deepEqual(vault.outcomes, ["failed", "failed", "read"]);
  const log = lines.join("\n");
  assert.match(log, /encryption keys cannot be read/);
  assert.match(log, new RegExp(`Version ${short} .* is not 32 bytes in base64`));
  assert.ok(log.includes(vault.url) && !log.includes(value) && !log.includes("c2hvcnQ"));
});

const faults: readonly {
  readonly name: string;
  readonly code: string;
  readonly says: RegExp;
  readonly prepare: (vault: TestVault) => Promise<unknown>;
  readonly secret?: Secret;
  readonly url?: string;
}[] = [
  {
    name: "without the secret",
    code: "KeyVaultUnavailable",
    says: /404\. Make the secret/,
    prepare: async () => undefined,
  },
  {
    name: "that is unreachable",
    code: "KeyVaultUnavailable",
    says: /ECONNREFUSED.*\. Check encryption\.keyVault\.url/,
    prepare: async () => undefined,
    url: "https://127.0.0.1:1",
  },
  {
    name: "and credentials that Entra ID refuses",
    code: "KeyVaultUnavailable",
    says: /AADSTS7000215.* Check firstParty/,
    prepare: async () => undefined,
    secret: new Secret("wrong"),
  },
  {
    name: "with only disabled versions",
    code: "UnusableVaultKey",
    says: /has no enabled version/,
    prepare: async (vault) => vault.disable(await vault.add(newKey())),
  },
  {
    name: "with a key of a wrong length",
    code: "UnusableVaultKey",
    says: /is not 32 bytes in base64: disable it/,
    prepare: (vault) => vault.add("c2hvcnQ="),
  },
  {
    name: "with one ID for two versions",
    code: "UnusableVaultKey",
    says: /same tag keyId/,
    prepare: async (vault) => {
      await vault.tag(await vault.add(newKey()), "k");
      await vault.tag(await vault.add(newKey()), "k");
    },
  },
];
for (const { name, code, says, prepare, secret, url } of faults) {
  test(`the service does not start with a vault ${name}, and reports the remedy`, async () => {
    const vault = new TestVault(url);
    await prepare(vault);
    await assert.rejects(vault.open(silentLogger, secret), (error: Error) => {
      assert.equal(error.name, code, error.message);
      assert.match(error.message, says);
      assert.ok(error.message.includes(`secret ${secretName} of the key vault ${vault.url}`), error.message);
      assert.ok(!error.message.includes("c2hvcnQ"));
      return true;
    });
  });
}
