import assert from "node:assert/strict";
import { test } from "node:test";
import { stringAt } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import type { EventText } from "@keelson/controller";
import { type KubeObject, type ObjectKey, resources } from "@keelson/kube";
import fc from "fast-check";
import { StoredObjects } from "../testing/stored-objects.ts";
import { annotations } from "./certificate-annotations.ts";
import { isSignedBy, readCertificates, readKeyPair } from "./certificate-chain.ts";
import type { CertificateRotation, RotationPolicy } from "./certificate-rotation.ts";
import { rotate } from "./rotate.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const signal = new AbortController().signal;

function rotation(overrides: {
  readonly name: string;
  readonly signer?: readonly [days: number, refresh: number];
  readonly target?: readonly [days: number, refresh: number];
  readonly hostnames?: readonly string[];
  readonly signerName?: string;
}): CertificateRotation {
  const { name, signerName = name, hostnames } = overrides;
  const [signerDays, signerRefresh] = overrides.signer ?? [30, 15];
  const [targetDays, targetRefresh] = overrides.target ?? [30, 15];
  return {
    name,
    component: "kube-apiserver",
    signer: {
      namespace: "operator",
      name: `${signerName}-signer`,
      validityMs: signerDays * dayMs,
      refreshMs: signerRefresh * dayMs,
      description: `Signs ${signerName}.`,
    },
    bundle: { namespace: "operator", name: `${signerName}-ca`, description: `Verifies ${signerName}.` },
    target: {
      namespace: "operand",
      name: `${name}-cert`,
      validityMs: targetDays * dayMs,
      refreshMs: targetRefresh * dayMs,
      description: `Is ${name}.`,
      subject: hostnames
        ? { usage: "server", hostnames }
        : { usage: "client", commonName: `system:${name}`, organizations: ["system:masters"] },
    },
  };
}

class World {
  readonly clock = new ManualClock();
  readonly store = new StoredObjects();
  /** Events with renewal reasons. Events about writes are excluded. */
  readonly events: EventText[] = [];

  rotate(
    each: CertificateRotation,
    policy: RotationPolicy = {},
    find: (resource: typeof resources.secrets, key: ObjectKey) => Promise<KubeObject | undefined> = (
      resource,
      key,
    ) => this.store.find(resource, key),
  ) {
    return rotate(each, {
      api: this.store,
      find,
      report: (event) => {
        if (event.reason.endsWith("UpdateRequired")) this.events.push(event);
      },
      clock: this.clock,
      policy: { keyType: "ecdsa", ...policy },
      signal,
    });
  }

  async secret({ namespace, name }: ObjectKey): Promise<KubeObject> {
    const found = await this.store.find(
      resources.secrets,
      namespace === undefined ? { name } : { namespace, name },
    );
    assert.ok(found, `secret ${name}`);
    return found;
  }

  async certificate(key: ObjectKey) {
    const secret = await this.secret(key);
    const text = (member: string) => Buffer.from(stringAt(secret, "data", member) ?? "", "base64").toString();
    const certificate = readKeyPair({ certificatePem: text("tls.crt"), privateKeyPem: text("tls.key") });
    assert.ok(certificate, "the certificate has its key");
    return certificate;
  }

  async bundle({ namespace, name }: ObjectKey) {
    const found = await this.store.find(
      resources.configMaps,
      namespace === undefined ? { name } : { namespace, name },
    );
    return readCertificates(stringAt(found, "data", "ca-bundle.crt") ?? "");
  }

  async annotate(key: ObjectKey, values: Readonly<Record<string, string | null>>): Promise<void> {
    await this.store.mergePatch(resources.secrets, key, { metadata: { annotations: values } });
  }
}

test("a rotation makes signer, bundle and target, and then writes nothing more", async () => {
  const world = new World();
  const serving = rotation({ name: "localhost", hostnames: ["localhost", "127.0.0.1"] });
  const state = await world.rotate(serving, { keyType: "rsa" });
  assert.equal(state?.targetEnds.toISOString(), "2026-01-31T00:00:00.000Z");
  const signer = await world.secret(serving.signer);
  const target = await world.secret(serving.target);
  assert.equal(stringAt(signer, "type"), "kubernetes.io/tls");
  assert.deepEqual(signer.metadata.labels, { "auth.openshift.io/managed-certificate-type": "signer" });
  assert.deepEqual(target.metadata.annotations, {
    "auth.openshift.io/certificate-hostnames": "127.0.0.1,localhost",
    "auth.openshift.io/certificate-issuer": "operator_localhost-signer@1767225600",
    "auth.openshift.io/certificate-not-after": "2026-01-31T00:00:00Z",
    "auth.openshift.io/certificate-not-before": "2025-12-31T23:59:59Z",
    "certificates.openshift.io/refresh-period": "360h0m0s",
    "openshift.io/description": "Is localhost.",
    "openshift.io/owning-component": "kube-apiserver",
  });
  const certificate = await world.certificate(serving.target);
  assert.equal(certificate.subjectAltName, "DNS:localhost, IP Address:127.0.0.1");
  const [authority] = await world.bundle(serving.bundle);
  assert.ok(authority && isSignedBy(certificate, authority));
  assert.deepEqual(
    world.events.map(({ reason }) => reason),
    ["SignerUpdateRequired", "CABundleUpdateRequired", "TargetUpdateRequired"],
  );
  const { writes } = world.store;
  await world.rotate(serving);
  assert.equal(world.store.writes, writes);
});

test("acceptance 18: an annotation that is no time is a reason for a new certificate", async () => {
  const world = new World();
  const client = rotation({ name: "aggregator" });
  await world.rotate(client);
  const before = await world.certificate(client.target);
  await world.annotate(client.target, { [annotations.notAfter]: "malformed" });
  world.events.length = 0;
  await world.rotate(client);
  assert.deepEqual(world.events, [
    {
      type: "Normal",
      reason: "TargetUpdateRequired",
      message: '"aggregator-cert" in "operand" requires a new target cert/key pair: bad expiry: "malformed"',
    },
  ]);
  assert.notEqual((await world.certificate(client.target)).serialNumber, before.serialNumber);
});

const spoiled: readonly {
  readonly name: string;
  readonly spoil: (world: World, key: CertificateRotation) => Promise<unknown>;
  readonly reason: string;
}[] = [
  {
    name: "no notAfter",
    spoil: (world, { target }) => world.annotate(target, { [annotations.notAfter]: null }),
    reason: "missing notAfter",
  },
  {
    name: "no notBefore",
    spoil: (world, { target }) => world.annotate(target, { [annotations.notBefore]: null }),
    reason: "missing notBefore",
  },
  {
    name: "an impossible notBefore",
    spoil: (world, { target }) => world.annotate(target, { [annotations.notBefore]: "2026-13-01T00:00:00Z" }),
    reason: 'bad expiry: "2026-13-01T00:00:00Z"',
  },
  {
    name: "its end is over",
    spoil: async (world) => world.clock.advance(31 * dayMs),
    reason: "already expired",
  },
  {
    name: "80 % of its validity is over",
    spoil: async (world, { signer }) => {
      await world.annotate(signer, { [annotations.notBefore]: "2026-01-20T00:00:00Z" });
      await world.clock.advance(25 * dayMs);
    },
    reason: "past refresh time (80% of validity): 2026-01-24 23:59:59 +0000 UTC",
  },
  {
    name: "past its refresh time, with a signer that is known for long",
    spoil: async (world, { signer }) => {
      await world.annotate(signer, { [annotations.notBefore]: "2026-01-10T00:00:00Z" });
      await world.clock.advance(16 * dayMs);
    },
    reason: "past its refresh time 2026-01-15 23:59:59 +0000 UTC",
  },
  {
    name: "no issuer",
    spoil: (world, { target }) => world.annotate(target, { [annotations.issuer]: null }),
    reason: "missing issuer name",
  },
  {
    name: "other hostnames",
    spoil: (world, { target }) => world.annotate(target, { [annotations.hostnames]: "api.old,localhost" }),
    reason: '"api.old" are existing and not required, "127.0.0.1" are required and not existing',
  },
  {
    name: "a key of another certificate",
    spoil: (world, { target }) =>
      world.store.mergePatch(resources.secrets, target, { data: { "tls.key": "bm8ga2V5" } }),
    reason: "malformed key pair",
  },
  {
    name: "no data at all",
    spoil: (world, { target }) => world.store.mergePatch(resources.secrets, target, { data: null }),
    reason: "malformed key pair",
  },
];

for (const { name, spoil, reason } of spoiled)
  test(`a target is replaced: ${name}`, async () => {
    const world = new World();
    const serving = rotation({ name: "localhost", hostnames: ["localhost", "127.0.0.1"] });
    await world.rotate(serving);
    await spoil(world, serving);
    world.events.length = 0;
    await world.rotate(serving);
    const found = world.events.find((event) => event.reason === "TargetUpdateRequired");
    assert.equal(
      found?.message,
      `"localhost-cert" in "operand" requires a new target cert/key pair: ${reason}`,
    );
    const { writes } = world.store;
    await world.rotate(serving);
    assert.equal(world.store.writes, writes);
  });

test("a target is replaced after its signer left the bundle", async () => {
  const world = new World();
  const client = rotation({ name: "kubelet" });
  await world.rotate(client);
  const old = await world.certificate(client.signer);
  await world.store.delete(resources.secrets, client.signer);
  await world.store.delete(resources.configMaps, client.bundle);
  await world.rotate(client);
  assert.match(
    world.events.at(-1)?.message ?? "",
    /issuer "operator_kubelet-signer@\d+", not in ca bundle:\n"operator_/,
  );
  assert.ok(!isSignedBy(await world.certificate(client.target), old));
});

test("acceptance 17: a deleted target is recreated, signed by a certificate authority of the bundle", async () => {
  const world = new World();
  const client = rotation({ name: "aggregator" });
  await world.rotate(client);
  await world.store.delete(resources.secrets, client.target);
  await world.rotate(client);
  const certificate = await world.certificate(client.target);
  assert.ok((await world.bundle(client.bundle)).some((authority) => isSignedBy(certificate, authority)));
});

test("a Secret of a different type is replaced by a TLS Secret with the same key pair, labels and annotations", async () => {
  const world = new World();
  const client = rotation({ name: "aggregator" });
  await world.rotate(client);
  const { serialNumber } = await world.certificate(client.signer);
  const signer = await world.secret(client.signer);
  await world.store.delete(resources.secrets, client.signer);
  const { resourceVersion: _, ...metadata } = signer.metadata;
  await world.store.create(resources.secrets, {
    ...signer,
    metadata: { ...metadata, labels: { ...metadata.labels, theirs: "stays" } },
    type: "SecretTypeTLS",
  });
  await world.rotate(client);
  const converted = await world.secret(client.signer);
  assert.equal(stringAt(converted, "type"), "kubernetes.io/tls");
  assert.equal(converted.metadata.labels?.theirs, "stays");
  assert.equal((await world.certificate(client.signer)).serialNumber, serialNumber);
});

test("a bundle keeps foreign certificate authorities and drops expired, duplicate and malformed certificates", async () => {
  const world = new World();
  const client = rotation({ name: "aggregator" });
  const other = rotation({ name: "other", signer: [20, 10] });
  await world.rotate(client);
  await world.rotate(other);
  const [foreign] = await world.bundle(other.bundle);
  const [own] = await world.bundle(client.bundle);
  assert.ok(foreign && own);
  const broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  await world.store.mergePatch(resources.configMaps, client.bundle, {
    data: { "ca-bundle.crt": `${broken}${foreign}${own}${foreign}` },
  });
  await world.rotate(client);
  const names = async () => (await world.bundle(client.bundle)).map(({ fingerprint256 }) => fingerprint256);
  assert.deepEqual((await names()).toSorted(), [foreign.fingerprint256, own.fingerprint256].toSorted());
  await world.clock.advance(21 * dayMs);
  await world.rotate(client);
  assert.ok(!(await names()).includes(foreign.fingerprint256));
  assert.ok((await names()).includes(own.fingerprint256));
});

test("who stands in for the operator replaces only what has ended", async () => {
  const world = new World();
  const client = rotation({ name: "aggregator" });
  await world.rotate(client);
  await world.clock.advance(29 * dayMs);
  const { writes } = world.store;
  await world.rotate(client, { onlyExpired: true });
  assert.equal(world.store.writes, writes);
  await world.clock.advance(2 * dayMs);
  await world.rotate(client, { onlyExpired: true });
  const certificate = await world.certificate(client.target);
  assert.ok(certificate.validToDate > world.clock.now());
  assert.ok((await world.bundle(client.bundle)).every(({ validToDate }) => validToDate > world.clock.now()));
});

test("a server without a name is refused", async () => {
  const world = new World();
  await assert.rejects(world.rotate(rotation({ name: "lb", hostnames: [] })), /no hostnames set/);
});

const shared = ["controller-manager", "scheduler", "node-admin"].map((name) =>
  rotation({ name, signerName: "control-plane", signer: [60, 30] }),
);
const yearly: readonly CertificateRotation[] = [
  rotation({ name: "aggregator" }),
  rotation({ name: "kubelet", signer: [365, 292] }),
  rotation({ name: "localhost", signer: [3_650, 2_920], hostnames: ["localhost"] }),
  rotation({ name: "recovery", signer: [3_650, 2_920], target: [3_650, 2_920], hostnames: ["recovery"] }),
  rotation({ name: "system-admin", signer: [1_095, 876], target: [730, 30] }),
  rotation({ name: "scheduler", signer: [60, 30] }),
];

test("in a simulated year every certificate is rotated in its window, and who trusts the bundle of a day ago trusts all", async () => {
  const world = new World();
  const stepMs = dayMs;
  const days = 380;
  /** Bundle contents after each step. */
  const past = new Map<string, (readonly string[])[]>();
  const replaced = new Map<string, number>();
  let last = new Map<string, { readonly serialNumber: string; readonly from: number }>();
  for (let step = 0; step * stepMs < days * dayMs; step += 1) {
    for (const each of yearly) await world.rotate(each);
    const now = world.clock.now();
    const current: typeof last = new Map();
    for (const { name, target, bundle } of yearly) {
      const certificate = await world.certificate(target);
      assert.ok(certificate.validFromDate <= now && now < certificate.validToDate, `${name} is valid`);
      const authorities = await world.bundle(bundle);
      const trusting = authorities.filter((authority) => isSignedBy(certificate, authority));
      assert.ok(
        trusting.some(({ validToDate }) => validToDate >= certificate.validToDate),
        `${name} is trusted`,
      );
      const bundles = past.get(name) ?? [];
      past.set(name, [...bundles.slice(-1), authorities.map(({ fingerprint256 }) => fingerprint256)]);
      const before = last.get(name);
      const from = certificate.validFromDate.getTime();
      if (before && before.serialNumber !== certificate.serialNumber) {
        const known = bundles[0] ?? [];
        assert.ok(
          trusting.some(({ fingerprint256 }) => known.includes(fingerprint256)),
          `${name} was trusted a day ago`,
        );
        const age = now.getTime() - before.from;
        const latest = Math.max(target.refreshMs * 1.1, target.refreshMs + 3 * dayMs) + 2 * stepMs;
        assert.ok(age > target.refreshMs && age <= latest, `${name} was replaced after ${age / dayMs} days`);
        replaced.set(name, (replaced.get(name) ?? 0) + 1);
      }
      current.set(name, { serialNumber: certificate.serialNumber, from });
    }
    last = current;
    await world.clock.advance(stepMs);
  }
  assert.ok((replaced.get("aggregator") ?? 0) >= 22);
  assert.ok((replaced.get("kubelet") ?? 0) >= 22);
  assert.equal(replaced.get("recovery"), undefined);
  assert.ok((replaced.get("system-admin") ?? 0) >= 12);
});

test("whatever time passes between two calls, afterwards everything is valid and trusted", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 60 * 24 }), { minLength: 1, maxLength: 8 }),
      async (gaps) => {
        const world = new World();
        for (const gap of gaps) {
          for (const each of shared) await world.rotate(each);
          for (const { target, bundle } of shared) {
            const certificate = await world.certificate(target);
            assert.ok(certificate.validToDate > world.clock.now());
            assert.ok((await world.bundle(bundle)).some((authority) => isSignedBy(certificate, authority)));
          }
          await world.clock.advance(gap * hourMs);
        }
      },
    ),
    { numRuns: 8 },
  );
});

test("of two writers that replace a signer at once one is first, and the other replaces nothing", async () => {
  const world = new World();
  const client = rotation({ name: "aggregator" });
  await world.rotate(client);
  await world.clock.advance(16 * dayMs);
  const known = await world.secret(client.signer);
  await world.rotate(client);
  const { serialNumber } = await world.certificate(client.signer);
  const late = await world.rotate(client, {}, async (resource, key) =>
    key.name === client.signer.name ? known : world.store.find(resource, key),
  );
  assert.equal(late, undefined);
  assert.equal((await world.certificate(client.signer)).serialNumber, serialNumber);
});

test("writers that know old states, side by side, never leave a certificate that the bundle does not trust", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ writer: fc.nat({ max: 2 }), days: fc.nat({ max: 9 }), stale: fc.boolean() }), {
        minLength: 3,
        maxLength: 20,
      }),
      async (steps) => {
        const world = new World();
        const known = new Map<string, KubeObject | undefined>();
        for (const { writer, days, stale } of steps) {
          await world.clock.advance(days * dayMs);
          const each = shared[writer];
          assert.ok(each);
          const find = async (resource: typeof resources.secrets, key: ObjectKey) => {
            const name = `${writer}/${resource.plural}/${key.name}`;
            if (!stale) known.set(name, await world.store.find(resource, key));
            return known.get(name);
          };
          // Two concurrent calls of two writers interleave at every await.
          await Promise.all([world.rotate(each, {}, find), world.rotate(shared[0] ?? each)]);
        }
        for (const each of shared) await world.rotate(each);
        for (const { target, bundle, signer } of shared) {
          const certificate = await world.certificate(target);
          const authorities = await world.bundle(bundle);
          assert.ok(authorities.some((authority) => isSignedBy(certificate, authority)));
          const { fingerprint256 } = await world.certificate(signer);
          assert.ok(authorities.some((authority) => authority.fingerprint256 === fingerprint256));
        }
      },
    ),
    { numRuns: 12 },
  );
});
