import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { before, describe, test } from "node:test";
import { createCertificateAuthority, issueCertificate, type KeyPair } from "@keelson/base";
import forge from "node-forge";
import { pemOfPkcs12 } from "./pkcs12.ts";

let authority: KeyPair;
let own: KeyPair;
before(async () => {
  authority = await createCertificateAuthority("authority", 1, "rsa");
  own = await issueCertificate(authority, {
    commonName: "identity",
    usage: "client",
    keyType: "rsa",
    validDays: 1,
  });
});

function pkcs12(algorithm: "3des" | "aes256" | undefined, password: string | null): Buffer {
  const certificates = [authority, own].map((each) => forge.pki.certificateFromPem(each.certificatePem));
  const file = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(own.privateKeyPem),
    certificates,
    password,
    algorithm ? { algorithm } : {},
  );
  return Buffer.from(forge.asn1.toDer(file).getBytes(), "binary");
}

describe("the key and the chain are read", () => {
  for (const [title, algorithm, password] of [
    ["from a file with the old algorithm", "3des", ""],
    ["from a file with a newer algorithm", "aes256", ""],
    ["from a file that is not encrypted", undefined, null],
  ] as const) {
    test(`${title}, the key's own certificate first`, () => {
      const pem = pemOfPkcs12(pkcs12(algorithm, password));
      const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
      const [first = "", second = ""] = certificates;
      assert.equal(new X509Certificate(first).subject, "CN=identity");
      assert.equal(new X509Certificate(second).subject, "CN=authority");
      assert.equal(certificates.length, 2);
      const key = createPrivateKey(pem);
      assert.ok(new X509Certificate(first).checkPrivateKey(key));
    });
  }
});

for (const [title, file] of [
  ["nonsense", () => Buffer.from("nonsense")],
  ["nothing", () => Buffer.alloc(0)],
  ["a file with a password", () => pkcs12("3des", "secret")],
] as const) {
  test(`${title} is refused`, () => {
    assert.throws(
      () => pemOfPkcs12(file()),
      /^TypeError: not a PKCS#12 file with an RSA key and no password/,
    );
  });
}
