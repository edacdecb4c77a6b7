import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
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
