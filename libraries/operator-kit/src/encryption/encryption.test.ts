import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import fc from "fast-check";
import { vaultPlugin } from "../testing/vault-plugin.ts";
import { convergedRevision } from "./converged-revision.ts";
import { desiredState } from "./desired-state.ts";
import { encryptedCondition } from "./encrypted-condition.ts";
import {
  type EncryptionState,
  newestKeyId,
  readEncryptionData,
  writeEncryptionConfig,
  writeEncryptionData,
} from "./encryption-config.ts";
import {
  type EncryptionKey,
  type EncryptionMode,
  keyIdOf,
  migratedAnnotations,
  newestFirst,
  newKeySecret,
  readKey,
} from "./encryption-key.ts";
import { prunableKeys } from "./key-pruning.ts";
import { newKmsKey } from "./kms-key.ts";
import { nextKey } from "./new-key.ts";

const resources = ["secrets", "configmaps"];
const dayMs = 86_400_000;

/** Encryption of a stored object: the key's secret, the socket of a KMS plugin, or undefined without encryption. */
type StoredWith = string | undefined;

function storedWith(key: EncryptionKey | undefined): StoredWith {
  if (!key || key.mode === "identity") return undefined;
  if (!key.kms) return key.secret;
  const vault = key.kms.plugin?.vault as { readonly vaultAddress?: string } | undefined;
  return `${key.kms.provider.endpoint} ${vault?.vaultAddress}`;
}

/**
 * Simulated cluster with three API servers. This class contains all state of the operator, because the operator may be killed
 * between any two calls.
 */
class World {
  now = new Date("2026-01-01T00:00:00Z");
  mode: EncryptionMode = "identity";
  /** KMS address that is configured for mode `KMS`. */
  service = "https://vault-0.example";
  externalReason = "";
  secrets: KubeObject[] = [];
  /** Configuration that the operator last wrote. */
  written: string | undefined;
  /** Configurations by revision. */
  readonly revisions: (string | undefined)[] = [undefined];
  readonly servers = [0, 0, 0];
  readonly stored = new Map(resources.map((each) => [each, Array<StoredWith>(5).fill(undefined)]));
  readonly events: string[] = [];

  get keys() {
    return newestFirst(this.secrets.flatMap((secret) => readKey(secret) ?? []));
  }

  get deployed(): { readonly state: EncryptionState | undefined } | undefined {
    const [first = 0, ...others] = this.servers;
    if (others.some((each) => each !== first)) return undefined;
    const text = this.revisions[first];
    return { state: text === undefined ? undefined : readEncryptionData(JSON.parse(text), this.keys) };
  }

  get desired(): EncryptionState | undefined {
    const deployed = this.deployed;
    return deployed && desiredState(deployed.state, this.keys, resources);
  }

  get condition() {
    const { deployed, desired } = this;
    return (
      deployed && desired && encryptedCondition(deployed.state, desired, this.secrets.length > 0, resources)
    );
  }

  createKey(): void {
    const { deployed, desired } = this;
    if (!deployed || !desired) return;
    if (this.mode === "identity" && !deployed.state && this.secrets.length === 0) return;
    const { mode, externalReason } = this;
    const plugin = vaultPlugin({ vaultAddress: this.service });
    const newestWrittenId = newestKeyId(this.written === undefined ? undefined : JSON.parse(this.written));
    const policy = { mode, plugin, externalReason };
    const next = nextKey({ desired, newestWrittenId }, policy, resources, this.now);
    if (!next || this.secrets.some((secret) => keyIdOf(secret) === next.id)) return;
    const references = { secrets: { "role_secret-id": "c2VjcmV0" }, configMaps: {} };
    const kms = next.mode === "KMS" ? { kms: newKmsKey(next.id, plugin, references) } : {};
    this.secrets.push(newKeySecret("test", { ...next, ...kms }));
  }

  writeConfig(): void {
    const { deployed, desired } = this;
    if (!deployed || !desired || (!deployed.state && this.secrets.length === 0)) return;
    const text = JSON.stringify(writeEncryptionData(desired));
    if (text === this.written) return;
    this.written = text;
    this.revisions.push(text);
  }

  get writtenConfig() {
    return JSON.parse(Buffer.from(JSON.parse(this.written ?? "")["encryption-config"], "base64").toString());
  }

  rollOut(server: number): void {
    // Moves one server directly to the newest revision. The other servers do not change.
    const newest = this.revisions.length - 1;
    this.servers[server] = newest;
  }

  isStable(): boolean {
    const { deployed, desired } = this;
    return (
      deployed?.state !== undefined &&
      desired !== undefined &&
      writeEncryptionConfig(deployed.state) === writeEncryptionConfig(desired)
    );
  }

  /** Rewrites `count` objects through one API server. Marks the key as migrated after the last object. */
  migrate(resource: string, count: number, server: number): void {
    if (!this.isStable()) return;
    const writeKey = this.deployed?.state?.get(resource)?.writeKey;
    const objects = this.stored.get(resource) ?? [];
    const wanted = storedWith(writeKey);
    if (!writeKey || writeKey.migrated.resources.includes(resource)) return;
    const left = objects.flatMap((each, at) => (each === wanted ? [] : [at]));
    for (const at of left.slice(0, count)) this.write(resource, at, server);
    if (left.length > count) return;
    const secret = this.secrets.find((each) => keyIdOf(each) === writeKey.id);
    if (!secret) return;
    const values = migratedAnnotations([...new Set([...writeKey.migrated.resources, resource])], this.now);
    const annotations = { ...secret.metadata.annotations, ...values };
    this.secrets = this.secrets.map((each) =>
      each === secret ? { ...each, metadata: { ...each.metadata, annotations } } : each,
    );
  }

  prune(): void {
    const { desired } = this;
    if (!desired) return;
    const gone = prunableKeys(this.secrets, desired);
    this.secrets = this.secrets.filter((each) => !gone.includes(each));
  }

  write(resource: string, at: number, server: number): void {
    const objects = this.stored.get(resource) ?? [];
    objects[at] = storedWith(this.running(server)?.get(resource)?.writeKey);
  }

  /** Deletes the Secret of a key, like a user would. */
  lose(at: number): void {
    const lost = this.secrets[at % Math.max(1, this.secrets.length)];
    this.secrets = this.secrets.filter((each) => each !== lost);
  }

  /** Returns the state of one API server. The server has only the keys of its own revision. */
  running(server: number): EncryptionState | undefined {
    const text = this.revisions[this.servers[server] ?? 0];
    return text === undefined ? undefined : readEncryptionData(JSON.parse(text), []);
  }

  assertReadable(): void {
    for (const server of this.servers.keys()) {
      const state = this.running(server);
      for (const [resource, objects] of this.stored)
        for (const each of objects) {
          const keys = state?.get(resource)?.readKeys ?? [];
          const isKnown = each === undefined || keys.some((key) => storedWith(key) === each);
          assert.ok(isKnown, `server ${server} cannot read ${resource}`);
        }
    }
  }

  /** Completes all pending work without failures. */
  settle(): void {
    for (let round = 0; round < 30; round += 1) {
      this.createKey();
      this.writeConfig();
      for (const server of this.servers.keys()) {
        this.rollOut(server);
        this.assertReadable();
      }
      for (const resource of resources) this.migrate(resource, 2, round % 3);
      this.prune();
      this.assertReadable();
    }
  }
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("create-key" as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("write-config" as const) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("roll-out" as const), server: fc.nat(2) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("migrate" as const),
      resource: fc.constantFrom(...resources),
      count: fc.nat(5),
      server: fc.nat(2),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("write" as const),
      resource: fc.constantFrom(...resources),
      at: fc.nat(4),
      server: fc.nat(2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("prune" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("mode" as const),
      mode: fc.constantFrom<EncryptionMode>("identity", "aescbc", "aesgcm", "KMS", "KMS"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("service" as const),
      service: fc.constantFrom("https://vault-0.example", "https://vault-1.example"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("lose" as const), at: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pass" as const), days: fc.nat(10) }) },
);

test("acceptance 25: whatever happens in whatever order, and wherever the operator dies, every API server reads everything", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: "max" }), (steps) => {
      const world = new World();
      world.mode = "aescbc";
      for (const each of steps) {
        if (each.kind === "create-key") world.createKey();
        else if (each.kind === "write-config") world.writeConfig();
        else if (each.kind === "roll-out") world.rollOut(each.server);
        else if (each.kind === "migrate") world.migrate(each.resource, each.count, each.server);
        else if (each.kind === "write") world.write(each.resource, each.at, each.server);
        else if (each.kind === "prune") world.prune();
        else if (each.kind === "mode") world.mode = each.mode;
        else if (each.kind === "service") world.service = each.service;
        else if (each.kind === "lose") world.lose(each.at);
        else world.now = new Date(world.now.getTime() + each.days * dayMs);
        world.assertReadable();
      }
      world.settle();
      const { condition } = world;
      if (world.mode === "identity")
        assert.match(condition?.reason ?? "", /DecryptionCompleted|EncryptionDisabled/);
      else {
        assert.equal(condition?.reason, "EncryptionCompleted");
        for (const objects of world.stored.values())
          for (const each of objects) assert.equal(each, storedWith(world.keys[0]));
      }
    }),
    { numRuns: 120 },
  );
});

test("encryption is switched on in steps: read key, write key, migration", () => {
  const world = new World();
  const seen: string[] = [];
  const note = () => {
    const { condition } = world;
    const text = `${condition?.reason}: ${condition?.message}`;
    if (seen.at(-1) !== text) seen.push(text);
  };
  note();
  world.mode = "aescbc";
  const rollOut = () => {
    for (const server of world.servers.keys()) world.rollOut(server);
  };
  world.createKey();
  assert.equal(world.keys[0]?.internalReason, "key-does-not-exist");
  world.writeConfig();
  const providers = () =>
    world.writtenConfig.resources.map((each: { providers: object[] }) =>
      each.providers.map((provider) => Object.keys(provider)[0]),
    );
  assert.deepEqual(providers(), [
    ["identity", "aescbc"],
    ["identity", "aescbc"],
  ]);
  note();
  world.rollOut(0);
  world.writeConfig();
  assert.equal(world.revisions.length, 2, "while the servers differ nothing changes");
  rollOut();
  world.writeConfig();
  assert.deepEqual(providers(), [
    ["aescbc", "identity"],
    ["aescbc", "identity"],
  ]);
  note();
  world.migrate("secrets", 5, 0);
  assert.deepEqual(
    world.keys[0]?.migrated.resources,
    [],
    "nothing is migrated before all servers write with it",
  );
  rollOut();
  note();
  world.migrate("secrets", 5, 0);
  note();
  world.migrate("configmaps", 5, 0);
  note();
  assert.deepEqual(seen, [
    "EncryptionDisabled: Encryption is not enabled",
    "EncryptionInProgress: Resource secrets is not encrypted",
    "EncryptionInProgress: Resource secrets is being encrypted",
    "EncryptionInProgress: Resource configmaps is being encrypted",
    "EncryptionCompleted: All resources encrypted: secrets, configmaps",
  ]);
});

test("a key is replaced after a week, after a change of mode or reason, and when its Secret is missing", () => {
  const world = new World();
  world.mode = "aescbc";
  world.settle();
  const ids = () => world.keys.map(({ id, mode, internalReason }) => `${id} ${mode} ${internalReason}`);
  assert.deepEqual(ids(), ["1 aescbc key-does-not-exist"]);
  world.now = new Date(world.now.getTime() + 7.1 * dayMs);
  world.settle();
  assert.equal(ids()[0], "2 aescbc rotation-interval-has-passed");
  world.mode = "aesgcm";
  world.settle();
  assert.equal(ids()[0], "3 aesgcm encryption-mode-changed");
  world.externalReason = "leaked";
  world.settle();
  assert.equal(ids()[0], "4 aesgcm external-reason-changed");
  world.secrets = world.secrets.filter((secret) => keyIdOf(secret) !== 4);
  world.settle();
  assert.equal(ids()[0], "5 aesgcm encryption-config-key-4-not-backed-by-secret");
  world.mode = "identity";
  world.settle();
  assert.equal(ids()[0], "6 identity encryption-mode-changed");
  assert.equal(world.condition?.reason, "DecryptionCompleted");
  const [first] = world.writtenConfig.resources;
  assert.deepEqual(Object.keys(first.providers[0]), ["identity"]);
  assert.deepEqual(first.providers.at(-1), {
    aesgcm: { keys: [{ name: "6", secret: "AAAAAAAAAAAAAAAAAAAAAA==" }] },
  });
});

test("a key management service takes over from a key and gives back to one, never by age", () => {
  const world = new World();
  world.mode = "aescbc";
  world.settle();
  const ids = () => world.keys.map(({ id, mode, internalReason }) => `${id} ${mode} ${internalReason}`);
  const providers = () =>
    world.writtenConfig.resources.map((each: { providers: object[] }) => each.providers);
  world.mode = "KMS";
  world.settle();
  assert.equal(ids()[0], "2 KMS encryption-mode-changed");
  const provider = (name: string) => ({
    kms: { apiVersion: "v2", name, endpoint: "unix:///var/run/kmsplugin/kms-2.sock", timeout: "10s" },
  });
  assert.deepEqual(
    providers().map(([first]: object[]) => first),
    [provider("2_configmaps"), provider("2_secrets")],
  );
  assert.deepEqual(Object.keys(providers()[0][1]), ["aescbc"], "the former key can still be read with");
  assert.deepEqual(Object.keys(JSON.parse(world.written ?? "")).toSorted(), [
    "encryption-config",
    "kms-plugin-config-2",
    "kms-plugin-secret-role_secret-id-2",
  ]);
  const before = ids();
  world.now = new Date(world.now.getTime() + 30 * dayMs);
  world.externalReason = "leaked";
  world.settle();
  assert.deepEqual(ids(), before, "neither age nor a reason creates a second key of the same service");
  world.service = "https://vault-1.example";
  world.settle();
  assert.equal(ids()[0], "3 KMS kms-provider-changed");
  world.lose(world.secrets.length - 1);
  world.settle();
  assert.equal(ids()[0], "4 KMS encryption-config-key-3-not-backed-by-secret");
  world.mode = "aesgcm";
  world.settle();
  assert.equal(ids()[0], "5 aesgcm encryption-mode-changed");
  assert.equal(world.condition?.reason, "EncryptionCompleted");
});

test("the number of a key that was lost before an API server ran it is not reused", () => {
  const world = new World();
  world.mode = "KMS";
  world.createKey();
  world.writeConfig();
  world.lose(0);
  world.service = "https://vault-1.example";
  world.createKey();
  assert.deepEqual(
    world.keys.map(({ id }) => id),
    [2],
  );
  world.settle();
  assert.equal(world.condition?.reason, "EncryptionCompleted");
});

test("a written configuration that cannot be read reserves no number", () => {
  assert.equal(newestKeyId({ "encryption-config": "bm90aGluZw==" }), 0);
  assert.equal(newestKeyId(undefined), 0);
});

test("a Secret that names a different service than the one that encrypted the data is rejected", () => {
  const world = new World();
  world.mode = "KMS";
  world.settle();
  const kms = newKmsKey(1, vaultPlugin({ vaultAddress: "https://elsewhere.example" }), {
    secrets: {},
    configMaps: {},
  });
  world.secrets = [newKeySecret("test", { id: 1, mode: "KMS", kms, internalReason: "", externalReason: "" })];
  assert.throws(() => world.desired, /key 1 names a different key management service/);
});

test("ten unused keys stay", () => {
  const world = new World();
  world.mode = "aescbc";
  for (let week = 0; week < 20; week += 1) {
    world.settle();
    world.now = new Date(world.now.getTime() + 8 * dayMs);
  }
  assert.equal(world.keys.length, 12);
  assert.equal(world.keys[0]?.id, 20);
});

test("a configuration that is lost comes back with every key that may have been in use, as read keys first", () => {
  const world = new World();
  world.mode = "aescbc";
  world.settle();
  const state = desiredState(undefined, world.keys, resources);
  assert.deepEqual(state.get("secrets"), { writeKey: undefined, readKeys: world.keys });
});

for (const [name, spoil] of [
  [
    "no name of a key",
    (secret: KubeObject) => ({ ...secret, metadata: { ...secret.metadata, name: "encryption-key-x" } }),
  ],
  [
    "an unknown mode",
    (secret: KubeObject) => annotated(secret, { "encryption.apiserver.operator.openshift.io/mode": "rot13" }),
  ],
  [
    "an invalid time",
    (secret: KubeObject) =>
      annotated(secret, { "encryption.apiserver.operator.openshift.io/migrated-timestamp": "soon" }),
  ],
  [
    "invalid resources",
    (secret: KubeObject) =>
      annotated(secret, { "encryption.apiserver.operator.openshift.io/migrated-resources": "{" }),
  ],
  [
    "a short key",
    (secret: KubeObject) => ({
      ...secret,
      data: { "encryption.apiserver.operator.openshift.io-key": "AAAA" },
    }),
  ],
  ["no data", ({ data: _, ...secret }: KubeObject) => secret],
] as const)
  test(`a Secret is no key with ${name}`, () => {
    const secret = newKeySecret("test", { id: 1, mode: "aescbc", internalReason: "", externalReason: "" });
    assert.ok(readKey(secret));
    assert.equal(readKey(spoil(secret) as KubeObject), undefined);
  });

function annotated(secret: KubeObject, annotations: Readonly<Record<string, string>>): KubeObject {
  return {
    ...secret,
    metadata: { ...secret.metadata, annotations: { ...secret.metadata.annotations, ...annotations } },
  };
}

const pod = (node: string, revision: string, phase = "Running", ready = "True"): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: `kube-apiserver-${node}`, labels: { revision } },
  spec: { nodeName: node },
  status: { phase, conditions: [{ type: "Ready", status: ready }] },
});

for (const [name, pods, revision] of [
  ["all run it", [pod("a", "3"), pod("b", "3")], "3"],
  ["all lack a revision", [pod("a", ""), pod("b", "")], "0"],
  ["they differ", [pod("a", "3"), pod("b", "4")], undefined],
  ["one is not ready", [pod("a", "3"), pod("b", "3", "Running", "False")], undefined],
  ["one is pending", [pod("a", "3"), pod("b", "3", "Pending")], undefined],
  ["one is missing", [pod("a", "3")], undefined],
  ["there are no pods", [], undefined],
  [
    "a failed pod is ignored beside a ready one",
    [pod("a", "3"), pod("b", "3"), pod("b", "2", "Failed")],
    "3",
  ],
  ["one failed and left its node without", [pod("a", "3"), pod("b", "2", "Failed")], undefined],
] as const)
  test(`the revision of all API servers: ${name}`, () => {
    assert.equal(convergedRevision(pods, ["a", "b"]), revision);
  });

test("the converged revision is undetermined with pods in an unknown phase and with newer failed pods", () => {
  assert.throws(() => convergedRevision([pod("a", "3", "Unknown")], ["a"]), /unknown phase/);
  assert.throws(
    () => convergedRevision([pod("a", "3"), pod("a", "4", "Failed")], ["a"]),
    /newer than running/,
  );
});
