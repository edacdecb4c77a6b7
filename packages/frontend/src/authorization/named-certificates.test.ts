import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { createCertificateAuthority, issueCertificate, type KeyPair, ManualClock } from "@keelson/base";
import { namedCertificates } from "./named-certificates.ts";
import { requestWith } from "./testing.ts";

const commonName = "admin.example.org";

describe("certificates by name and issuer", () => {
  let root: KeyPair;
  let intermediate: KeyPair;
  let foreign: KeyPair;
  const clock = new ManualClock(new Date());

  before(async () => {
    root = await createCertificateAuthority("root", 30);
    intermediate = await createCertificateAuthority("intermediate", 30, "ecdsa", root);
    foreign = await createCertificateAuthority("root", 30);
  });

  const issue = (authority: KeyPair, name = commonName, usage: "client" | "server" | "both" = "client") =>
    issueCertificate(authority, { commonName: name, usage, validDays: 1 });
  const rule = () => namedCertificates({ commonName, authorityPems: [root.certificatePem], clock });

  test("admit the name, issued by an authority or by way of an intermediate that was sent along", async () => {
    assert.equal(rule().admits(requestWith([await issue(root)])), true);
    assert.equal(rule().admits(requestWith([await issue(root, commonName, "both")])), true);
    const own = await issue(intermediate);
    assert.equal(rule().admits(requestWith([own, intermediate])), true);
    assert.equal(rule().admits(requestWith([own])), false);
  });

  const refused: readonly { name: string; certificates: () => Promise<readonly KeyPair[]> }[] = [
    { name: "nothing", certificates: async () => [] },
    { name: "another name", certificates: async () => [await issue(root, "other.example.org")] },
    {
      name: "the name in other case",
      certificates: async () => [await issue(root, commonName.toUpperCase())],
    },
    { name: "an authority of the same name", certificates: async () => [await issue(foreign)] },
    {
      name: "the foreign authority itself sent along",
      certificates: async () => [await issue(foreign), foreign],
    },
    {
      name: "a certificate for servers",
      certificates: async () => [await issue(root, commonName, "server")],
    },
    {
      name: "an intermediate that is no authority",
      certificates: async () => {
        const pretender = await issue(root, "intermediate");
        return [await issue(pretender), pretender];
      },
    },
    {
      name: "an authority that bears the name itself",
      certificates: async () => [await createCertificateAuthority(commonName, 1, "ecdsa", root)],
    },
  ];
  for (const { name, certificates } of refused) {
    test(`refuse ${name}`, async () => {
      assert.equal(rule().admits(requestWith(await certificates())), false);
    });
  }

  test("count only while the whole chain is valid", async () => {
    const later = new ManualClock(new Date());
    const byClock = namedCertificates({ commonName, authorityPems: [root.certificatePem], clock: later });
    const brief = await createCertificateAuthority("brief", 1, "ecdsa", root);
    const request = requestWith([
      await issueCertificate(brief, { commonName, usage: "client", validDays: 20 }),
      brief,
    ]);
    assert.equal(byClock.admits(request), true);
    await later.advance(2 * 86_400_000);
    assert.equal(byClock.admits(request), false);
  });

  test("are not ready without an authority, and refuse text that is none", () => {
    assert.equal(namedCertificates({ commonName, authorityPems: [], clock }).ready(), false);
    assert.throws(() => namedCertificates({ commonName, authorityPems: ["x"], clock }), {
      code: "InvalidCertificate",
    });
  });
});
