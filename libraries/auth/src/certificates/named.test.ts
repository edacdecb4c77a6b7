import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { createCertificateAuthority, issueCertificate, type KeyPair } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { authorizeBy } from "../authorizer.ts";
import { anyOf } from "../callers/caller-rule.ts";
import { requestWith } from "../testing/callers.ts";
import { namedCertificates } from "./named.ts";

const commonName = "admin.example.org";

/** These tests call the rule directly. certificate-chains.test.ts covers the verification of chains by TLS. */
describe("certificates by name and issuer", () => {
  let root: KeyPair;
  let own: KeyPair;
  const clock = new ManualClock(new Date());

  before(async () => {
    root = await createCertificateAuthority("root", 30);
    own = await issueCertificate(root, { commonName, usage: "client", validDays: 20 });
  });

  const rule = (...authorities: readonly KeyPair[]) =>
    namedCertificates({ commonName, authorityPems: authorities.map((each) => each.certificatePem), clock });

  test("admit what TLS has verified, and nothing else", () => {
    assert.equal(rule(root).admits(requestWith([own], {}, true)), true);
    assert.equal(rule(root).admits(requestWith([own], {}, false)), false);
    assert.equal(rule(root).admits(requestWith([], {}, true)), false);
  });

  test("admit the name, case-sensitively, and reject a CA with this name", async () => {
    for (const other of ["other.example.org", commonName.toUpperCase()]) {
      const certificate = await issueCertificate(root, { commonName: other, usage: "client", validDays: 1 });
      assert.equal(rule(root).admits(requestWith([certificate], {}, true)), false);
    }
    const authority = await createCertificateAuthority(commonName, 1, "ecdsa", root);
    assert.equal(rule(root).admits(requestWith([authority], {}, true)), false);
  });

  test("count only while the whole chain is valid", async () => {
    const later = new ManualClock(new Date());
    const byClock = namedCertificates({ commonName, authorityPems: [root.certificatePem], clock: later });
    const brief = await createCertificateAuthority("brief", 1, "ecdsa", root);
    const request = requestWith([own, brief], {}, true);
    assert.equal(byClock.admits(request), true);
    await later.advance(2 * 86_400_000);
    assert.equal(byClock.admits(request), false);
  });

  test("are not ready without a CA, and reject an invalid or incomplete CA chain", async () => {
    assert.equal(rule().ready(), false);
    assert.throws(() => namedCertificates({ commonName, authorityPems: ["x"], clock }), {
      code: "InvalidCertificate",
    });
    const intermediate = await createCertificateAuthority("intermediate", 1, "ecdsa", root);
    assert.throws(() => rule(intermediate), {
      code: "InvalidCertificate",
      message: /"CN=intermediate" of callers was issued by "CN=root", which is not in the list/,
    });
    assert.equal(rule(intermediate, root).ready(), true);
  });

  test("require the same CA certificates for all callers that are identified by name", async () => {
    const other = await createCertificateAuthority("root", 30);
    const listed = { admits: () => true, ready: () => true };
    const different = { code: "InvalidCertificate", message: /must have the same CA certificates/ };
    assert.throws(() => authorizeBy({ arm: rule(root), admin: rule(other) }), different);
    assert.throws(() => authorizeBy({ arm: rule(root), admin: rule(root, other) }), different);
    assert.throws(() => anyOf([rule(root), rule(other)]), different);
    const same = authorizeBy({ arm: rule(root, other), admin: anyOf([listed, rule(other, root)]) });
    assert.equal(same.authorityPems?.length, 2);
    assert.deepEqual(authorizeBy({ arm: listed, admin: rule(root) }).authorityPems, [root.certificatePem]);
    assert.deepEqual(authorizeBy({ arm: listed, admin: listed }).authorityPems, []);
  });
});
