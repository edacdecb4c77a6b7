import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";
import { createCertificateAuthority, issueCertificate, type KeyPair, silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { type JsonServer, requestWith, startJsonServer } from "../testing/callers.ts";
import { PublishedCertificates } from "./published.ts";

const hourMs = 3_600_000;
const signal = AbortSignal.timeout(900_000);

describe("certificates that Azure Resource Manager publishes", () => {
  let server: JsonServer;
  let arm: KeyPair;
  let next: KeyPair;
  let clock: ManualClock;
  let rule: PublishedCertificates;

  before(async () => {
    server = await startJsonServer();
    const authority = await createCertificateAuthority("arm", 1);
    const issue = () => issueCertificate(authority, { commonName: "arm", usage: "client", validDays: 1 });
    [arm, next] = [await issue(), await issue()];
  });
  after(() => server[Symbol.asyncDispose]());
  beforeEach(() => {
    clock = new ManualClock(new Date("2026-01-01T12:00:00Z"));
    rule = new PublishedCertificates({
      metadataUrl: server.url,
      caPem: server.caPem,
      clock,
      logger: silentLogger,
    });
    publish([entry(arm)]);
  });

  function entry(
    { certificatePem }: KeyPair,
    notBefore = "2026-01-01T00:00:00Z",
    notAfter = "2026-06-01T00:00:00Z",
  ) {
    const certificate = new X509Certificate(certificatePem);
    return {
      thumbprint: certificate.fingerprint.replaceAll(":", ""),
      notBefore,
      notAfter,
      certificate: certificate.raw.toString("base64"),
    };
  }

  function publish(clientCertificates: readonly object[]): void {
    server.respondWith(200, JSON.stringify({ clientCertificates }));
  }

  test("admit their bearers, byte for byte, once the list was read", async () => {
    assert.equal(rule.ready(), false);
    assert.equal(rule.admits(requestWith([arm])), false);
    await rule.refresh(signal);
    assert.equal(rule.ready(), true);
    assert.equal(rule.admits(requestWith([arm])), true);
    assert.equal(rule.admits(requestWith([next])), false);
    assert.equal(rule.admits(requestWith([])), false);
  });

  test("count within their published validity only", async () => {
    publish([entry(arm, "2026-01-02T00:00:00Z"), entry(next)]);
    await rule.refresh(signal);
    assert.equal(rule.admits(requestWith([arm])), false);
    await clock.advance(13 * hourMs);
    assert.equal(rule.admits(requestWith([arm])), true);
  });

  test("are replaced by the next list", async () => {
    await rule.refresh(signal);
    publish([entry(next)]);
    await rule.refresh(signal);
    assert.equal(rule.admits(requestWith([arm])), false);
    assert.equal(rule.admits(requestWith([next])), true);
  });

  const useless = [
    { name: "an error", response: () => server.respondWith(503, "{}") },
    { name: "a redirect", response: () => server.respondWith(302, "{}") },
    { name: "no JSON", response: () => server.respondWith(200, "<html>", "application/json") },
    {
      name: "a wrong content type",
      response: () =>
        server.respondWith(200, JSON.stringify({ clientCertificates: [entry(next)] }), "text/html"),
    },
    { name: "an empty list", response: () => publish([]) },
    { name: "another shape", response: () => server.respondWith(200, "[1]") },
    {
      name: "expired certificates",
      response: () => publish([entry(next, "2025-01-01T00:00:00Z", "2025-06-01T00:00:00Z")]),
    },
    {
      name: "entries without sense",
      response: () => publish([{ ...entry(next), certificate: "AAAA" }, { notBefore: 1 }]),
    },
    { name: "more than a mebibyte", response: () => server.respondWith(200, " ".repeat(1_048_577)) },
  ];
  for (const { name, response } of useless) {
    test(`stay unchanged if the publisher returns ${name}`, async () => {
      await rule.refresh(signal);
      response();
      await assert.rejects(rule.refresh(signal), { code: "DocumentUnavailable" });
      assert.equal(rule.admits(requestWith([arm])), true);
      assert.equal(rule.admits(requestWith([next])), false);
    });
  }

  test("admit no caller after a day without a list", async () => {
    await rule.refresh(signal);
    await clock.advance(24 * hourMs - 1);
    assert.equal(rule.ready(), true);
    await clock.advance(1);
    assert.equal(rule.ready(), false);
    assert.equal(rule.admits(requestWith([arm])), false);
  });

  test("are read again every hour, and a minute after a failure", async () => {
    const stop = new AbortController();
    const before = server.requests;
    const reads = async (count: number) => {
      while (server.requests < before + count) await new Promise((resolve) => setTimeout(resolve, 5));
      // Waits until the refresh loop sleeps. By then, it has processed the response.
      while (clock.sleeping === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const following = rule.follow(stop.signal);
    await reads(1);
    server.respondWith(500, "{}");
    await clock.advance(hourMs);
    await reads(2);
    publish([entry(next)]);
    await clock.advance(60_000);
    await reads(3);
    assert.equal(rule.admits(requestWith([next])), true);
    stop.abort();
    await following;
  });

  test("come over https only", async () => {
    const plain = new PublishedCertificates({
      metadataUrl: "http://localhost/",
      clock,
      logger: silentLogger,
    });
    await assert.rejects(plain.refresh(signal), { code: "DocumentUnavailable" });
  });
});
