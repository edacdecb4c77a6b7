import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { Metrics, silentLogger, stringAt } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import type { Cache } from "@keelson/controller";
import { type KubeApi, type KubeObject, type ObjectKey, resources } from "@keelson/kube";
import { certificateRotation } from "@keelson/operator-kit";
import { StoredObjects } from "@keelson/operator-kit/testing";
import { configObject } from "../testing/observe.ts";
import { rotationRows } from "./rotation-rows.ts";

const dayMs = 86_400_000;
const days = 370;
const signal = new AbortController().signal;

const rows = rotationRows<void>(() => ({
  network: configObject("Network", { status: { serviceNetwork: ["172.30.0.0/16"] } }),
  infrastructure: configObject("Infrastructure", {
    status: {
      apiServerURL: "https://api.demo.example:6443",
      apiServerInternalURI: "https://api-int.demo.example:6443",
    },
  }),
}));

/** Distinct Secrets that contain the signers and targets of all rows. Several targets have the same signer. */
const secrets = [
  ...new Map(
    rows.flatMap(({ signer, target }) => [signer, target]).map((each) => [nameOf(each), each]),
  ).values(),
];

test("in a year every certificate of the operator is replaced in its window, and no client meets one that it does not trust", async () => {
  const clock = new ManualClock();
  const store = new StoredObjects();
  const rotate = startRotation(store, clock);
  /** Age in days of each certificate at each replacement. */
  const ages = new Map<string, number[]>();
  const current = new Map<string, X509Certificate>();
  /**
   * Certificates that servers and clients may still use, by row. The map `yesterday` contains the CA bundles of the previous day.
   */
  const inUse = new Map<string, X509Certificate[]>();
  const yesterday = new Map<string, readonly X509Certificate[]>();

  for (let day = 0; day <= days; day += 1) {
    for (const { name } of rows) await rotate(name);
    const now = clock.now();
    for (const each of secrets) {
      const certificate = certificateOf(store, each);
      assert.ok(
        certificate.validFromDate <= now && now < certificate.validToDate,
        `${nameOf(each)} is valid`,
      );
      const lifeMs = certificate.validToDate.getTime() - certificate.validFromDate.getTime();
      assert.ok(lifeMs <= each.validityMs + 2_000, `${nameOf(each)} lives no longer than it should`);
      const before = current.get(nameOf(each));
      if (before && before.serialNumber !== certificate.serialNumber) {
        assert.ok(now < before.validToDate, `${nameOf(each)} was replaced before it ended`);
        const age = (now.getTime() - before.validFromDate.getTime()) / dayMs;
        ages.set(nameOf(each), [...(ages.get(nameOf(each)) ?? []), age]);
      }
      current.set(nameOf(each), certificate);
    }
    for (const { name, target, bundle } of rows) {
      const certificate = certificateOf(store, target);
      const authorities = authoritiesOf(store, bundle);
      for (const each of authorities)
        assert.ok(now <= each.validToDate, `${bundle.name} has only what is valid`);
      // A client with yesterday's bundle must accept a server with the newest certificate.
      const known = yesterday.get(name) ?? authorities;
      assert.ok(isTrusted(certificate, known, now), `${name} is trusted with the bundle of a day ago`);
      // A client with the newest bundle must accept a server with an older certificate.
      const used = (inUse.get(name) ?? []).filter((each) => now < each.validToDate);
      for (const each of used)
        assert.ok(isTrusted(each, authorities, now), `an older certificate of ${name} is still trusted`);
      const isNew = !used.some(({ serialNumber }) => serialNumber === certificate.serialNumber);
      inUse.set(name, isNew ? [...used, certificate] : used);
      yesterday.set(name, authorities);
    }
    await clock.advance(dayMs);
  }

  for (const each of secrets) {
    const refreshDays = each.refreshMs / dayMs;
    const replaced = ages.get(nameOf(each)) ?? [];
    // A target is renewed only after its signer has been trusted for a tenth of the target's refresh period.
    const latest = refreshDays * 1.1 + 2;
    for (const age of replaced)
      assert.ok(age > refreshDays && age <= latest, `${nameOf(each)} was replaced after ${age} days`);
    const least = Math.floor(days / latest);
    const most = Math.ceil(days / refreshDays);
    assert.ok(
      replaced.length >= least && replaced.length <= most,
      `${nameOf(each)} was replaced ${replaced.length} times, not ${least} to ${most}`,
    );
  }
});

/**
 * Returns a function that rotates the certificate of the row with the given name in `rows`. It calls the operator's controller.
 */
function startRotation(store: StoredObjects, clock: ManualClock): (name: string) => Promise<void> {
  const expiry = new Metrics().gauge({ name: "end", help: "x", labels: ["namespace", "name"] });
  const cache = {
    known: (...args: Parameters<StoredObjects["peek"]>) => ({ object: store.peek(...args) }),
  } as unknown as Cache;
  const degraded: string[] = [];
  const controller = certificateRotation<void>({
    rows,
    policy: { keyType: "ecdsa" },
    inputs: () => [],
    parts: () => ({
      api: store as unknown as KubeApi,
      cache,
      clock,
      expiry,
      report: () => undefined,
      setConditions: async (conditions) => {
        for (const { type, status, message = "" } of conditions)
          if (type.endsWith("Degraded") && status !== "False") degraded.push(`${type}: ${message}`);
      },
    }),
  });
  return async (name) => {
    await controller.reconcile({ name }, undefined, { signal, logger: silentLogger });
    assert.deepEqual(degraded, []);
  };
}

/** True if a CA in the bundle has signed the certificate. The CA must be valid now and must not expire before the certificate. */
function isTrusted(
  certificate: X509Certificate,
  authorities: readonly X509Certificate[],
  now: Date,
): boolean {
  return authorities.some(
    (each) =>
      now < each.validToDate && certificate.validToDate <= each.validToDate && isSignedBy(certificate, each),
  );
}

const signed = new Map<string, boolean>();

function isSignedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  const pair = `${certificate.fingerprint256} ${authority.fingerprint256}`;
  const known =
    signed.get(pair) ?? (certificate.checkIssued(authority) && certificate.verify(authority.publicKey));
  signed.set(pair, known);
  return known;
}

const parsed = new Map<string, X509Certificate>();

function parse(pem: string): X509Certificate {
  const found = parsed.get(pem) ?? new X509Certificate(pem);
  parsed.set(pem, found);
  return found;
}

function certificateOf(store: StoredObjects, key: Required<ObjectKey>): X509Certificate {
  const pem = Buffer.from(
    stringAt(found(store, resources.secrets, key), "data", "tls.crt") ?? "",
    "base64",
  ).toString();
  // Only the first certificate is parsed. A server also sends its CA certificate.
  return parse(pem.slice(0, pem.indexOf("-----END") + 26));
}

function authoritiesOf(store: StoredObjects, key: Required<ObjectKey>): readonly X509Certificate[] {
  const pem = stringAt(found(store, resources.configMaps, key), "data", "ca-bundle.crt") ?? "";
  return [...pem.matchAll(/-----BEGIN[\s\S]+?-----END CERTIFICATE-----/g)].map(([each]) => parse(each));
}

function found(
  store: StoredObjects,
  resource: typeof resources.secrets,
  { namespace, name }: Required<ObjectKey>,
) {
  const object: KubeObject | undefined = store.peek(resource, { namespace, name });
  assert.ok(object, `${resource.plural} ${namespace}/${name}`);
  return object;
}

function nameOf({ namespace, name }: Required<ObjectKey>): string {
  return `${namespace}/${name}`;
}
