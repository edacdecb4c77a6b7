import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { rightsOf } from "@keelson/auth";
import { createCertificateAuthority, issueCertificate, type KeyPair, silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { authorizerOf } from "./callers.ts";
import type { CallersConfig } from "./config/callers-config.ts";

describe("configured callers", () => {
  const directory = mkdtempSync(join(tmpdir(), "keelson-callers-"));
  const stop = new AbortController();
  const deps = { clock: new ManualClock(new Date()), logger: silentLogger, signal: stop.signal };
  let arm: KeyPair;
  let admin: KeyPair;

  before(async () => {
    const authority = await createCertificateAuthority("test", 1);
    const issue = (commonName: string) =>
      issueCertificate(authority, { commonName, usage: "client", validDays: 1 });
    [arm, admin] = [await issue("arm"), await issue("admin.example.org")];
    writeFileSync(join(directory, "arm.pem"), arm.certificatePem);
    writeFileSync(join(directory, "authority.pem"), authority.certificatePem);
  });
  after(() => {
    stop.abort();
    rmSync(directory, { recursive: true });
  });

  const request = (path: string, certificate?: KeyPair) => ({
    path,
    apiVersion: "",
    peerCertificates: certificate ? [new X509Certificate(certificate.certificatePem).raw] : [],
    peerVerified: certificate !== undefined,
    header: () => undefined,
  });
  const listed = () => ({ kind: "listed" as const, file: join(directory, "arm.pem") });
  const named = () => ({
    kind: "named" as const,
    commonName: "admin.example.org",
    authoritiesFile: join(directory, "authority.pem"),
  });

  test("are refused once a changed bundle no longer has their certificate or authority", async () => {
    const clock = new ManualClock(new Date());
    const [bundle, authorities] = [join(directory, "bundle.pem"), join(directory, "authorities.pem")];
    const other = await createCertificateAuthority("other", 1);
    writeFileSync(bundle, arm.certificatePem + admin.certificatePem);
    writeFileSync(authorities, readFileSync(join(directory, "authority.pem"), "utf8"));
    const certificates = {
      kind: "named" as const,
      commonName: "admin.example.org",
      authoritiesFile: authorities,
    };
    const authorizer = authorizerOf(
      {
        kind: "verified",
        arm: { certificates: { kind: "listed", file: bundle } },
        admin: { certificates },
      },
      { ...deps, clock },
    );
    const removed: boolean[][] = [];
    authorizer.onChange((isRemoved) => {
      const of = (certificate: KeyPair) => isRemoved(request("", certificate));
      void Promise.all([of(arm), of(admin)]).then((each) => removed.push(each));
    });
    const admits = async (path: string, certificate: KeyPair) =>
      rightsOf(await authorizer.authorize(request(path, certificate)));
    const changed = async (path: string, text: string) => {
      const count = removed.length;
      writeFileSync(path, text);
      while (removed.length === count) {
        await clock.advance(10_000);
        await delay(5);
      }
    };
    assert.equal(await admits("/subscriptions/x", arm), true);

    await changed(bundle, admin.certificatePem);
    assert.equal(await admits("/subscriptions/x", arm), false);
    assert.equal(await admits("/subscriptions/x", admin), true);
    assert.deepEqual(removed, [[true, false]]);

    // The change of the CA file closes the connections with certificates of the removed CA. A connection with a listed
    // certificate stays open, because it does not depend on a CA.
    writeFileSync(bundle, arm.certificatePem);
    await changed(authorities, other.certificatePem);
    assert.deepEqual(removed[1], [false, true]);
    assert.deepEqual(authorizer.authorityPems, [other.certificatePem.trim()]);

    writeFileSync(bundle, "not a certificate");
    await clock.advance(10_000);
    assert.equal(await admits("/subscriptions/x", arm), true);
  });

  test("are everybody, or those that prove to be it", async () => {
    assert.equal(await authorizerOf({ kind: "anyone" }, deps).authorize(request("/admin")), true);
    const callers: CallersConfig = {
      kind: "verified",
      arm: { certificates: listed() },
      admin: { certificates: named() },
    };
    const authorizer = authorizerOf(callers, deps);
    assert.equal(authorizer.ready(), true);
    const cases = [
      { path: "/subscriptions/x", certificate: arm, admitted: true },
      { path: "/subscriptions/x", certificate: admin, admitted: false },
      { path: "/admin/versions", certificate: admin, admitted: true },
      { path: "/admin/versions", certificate: arm, admitted: false },
      { path: "/subscriptions/x", certificate: undefined, admitted: false },
    ];
    for (const { path, certificate, admitted } of cases)
      assert.equal(rightsOf(await authorizer.authorize(request(path, certificate))), admitted, path);
  });

  test("are unknown, and the service is not ready, until a published list is read", async () => {
    const published = { kind: "published" as const, metadataUrl: "https://localhost:1/metadata" };
    const authorizer = authorizerOf(
      { kind: "verified", arm: { certificates: published }, admin: { certificates: named() } },
      deps,
    );
    assert.equal(authorizer.ready(), false);
    assert.equal(await authorizer.authorize(request("/subscriptions/x", arm)), false);
  });

  test("of a development service are verified where a request of the admin API has a token", async () => {
    const adminTokens = {
      ...{ issuer: "i", audience: "a", keysUrl: "https://localhost:1/keys", applications: ["x"] },
      ...{ roles: [], vouchesForNames: false },
    };
    const authorizer = authorizerOf({ kind: "anyone", adminTokens }, deps);
    const withToken = (path: string) => ({
      ...request(path, undefined),
      header: (name: string) => (name === "authorization" ? "Bearer a.b.c" : undefined),
    });
    assert.equal(await authorizer.authorize(withToken("/admin/versions")), false);
    assert.equal(await authorizer.authorize(request("/admin/versions", undefined)), true);
    assert.equal(await authorizer.authorize(withToken("/subscriptions/x")), true);
  });

  test("with a token or a certificate, need only one of them", async () => {
    const tokens = {
      issuer: "i",
      audience: "a",
      keysUrl: "https://localhost:1/keys",
      applications: ["x"],
      roles: [],
      vouchesForNames: false,
    };
    const authorizer = authorizerOf(
      { kind: "verified", arm: { tokens, certificates: listed() }, admin: { certificates: named() } },
      deps,
    );
    assert.equal(rightsOf(await authorizer.authorize(request("/subscriptions/x", arm))), true);
    assert.equal(await authorizer.authorize(request("/subscriptions/x", admin)), false);
  });
});
