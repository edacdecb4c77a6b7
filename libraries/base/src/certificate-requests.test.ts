import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import {
  createCertificateRequest,
  readCertificateRequest,
  signCertificateRequest,
} from "./certificate-requests.ts";
import { createCertificateAuthority } from "./certificates.ts";

const directory = mkdtempSync(join(tmpdir(), "requests-"));
after(() => rmSync(directory, { recursive: true }));

/** Creates a certificate request with openssl, the most common tool. */
function opensslRequest(key: readonly string[], subject: string, names: string): string {
  const args = ["req", "-new", "-nodes", "-keyout", join(directory, "key.pem"), "-subj", subject];
  return execFileSync("openssl", [...args, ...key, "-addext", `subjectAltName=${names}`], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

const keys = {
  "a P-256 key": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
  "an RSA key": ["-newkey", "rsa:2048"],
};
for (const [title, key] of Object.entries(keys)) {
  test(`a request with ${title} is read and signed, with the signer's terms and nothing else`, async () => {
    const pem = opensslRequest(key, "/O=system:nodes/O=more/CN=system:node:a", "DNS:a.example,IP:10.0.0.1");
    assert.deepEqual(await readCertificateRequest(pem), {
      commonName: "system:node:a",
      organizations: ["system:nodes", "more"],
      dnsNames: ["a.example"],
      ipAddresses: ["10.0.0.1"],
      emailAddresses: [],
      uris: [],
    });
    const authority = await createCertificateAuthority("signer", 1);
    const notBefore = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    const signed = await signCertificateRequest(authority, pem, {
      notBefore,
      notAfter: new Date(notBefore.getTime() + 10 * 86_400_000),
      keyUsage: 1,
      extendedKeyUsage: ["1.3.6.1.5.5.7.3.2"],
    });
    const certificate = new X509Certificate(signed);
    const issuer = new X509Certificate(authority.certificatePem);
    assert.ok(certificate.verify(issuer.publicKey) && certificate.checkIssued(issuer) && !certificate.ca);
    assert.deepEqual(certificate.keyUsage, ["1.3.6.1.5.5.7.3.2"]);
    assert.match(certificate.subjectAltName ?? "", /a\.example.*10\.0\.0\.1/);
    assert.equal(certificate.validFromDate.getTime(), notBefore.getTime());
    assert.equal(certificate.validTo, issuer.validTo, "never longer than the CA certificate");
  });
}

test("an invalid request, and one signed with a different key, are rejected", async () => {
  const pem = opensslRequest(keys["a P-256 key"], "/CN=a", "DNS:a");
  const [head = "", ...lines] = pem.trim().split("\n");
  const der = Buffer.from(lines.slice(0, -1).join(""), "base64");
  der.writeUInt8(der.readUInt8(der.length - 1) ^ 1, der.length - 1);
  const forged = `${head}\n${der.toString("base64")}\n${lines.at(-1)}\n`;
  const wrong = [
    "",
    "x",
    pem.replaceAll("CERTIFICATE REQUEST", "CERTIFICATE"),
    forged,
    `${head}\nAAAA\n${lines.at(-1)}`,
  ];
  for (const text of wrong) await assert.rejects(readCertificateRequest(text), TypeError, text);
});

test("a created request has its subject and names, and is signed with its key", async () => {
  const subject = {
    commonName: "system:node:a",
    organizations: ["system:nodes"],
    dnsNames: ["a"],
    ipAddresses: ["10.0.0.4"],
  };
  const read = await readCertificateRequest(await createCertificateRequest(subject));
  assert.deepEqual(read, { ...subject, emailAddresses: [], uris: [] });
});

test("a verified request is not verified again, also after thousands of other requests", async () => {
  const subject = { commonName: "a", organizations: [], dnsNames: [], ipAddresses: [] };
  const request = await createCertificateRequest(subject);
  const read = await readCertificateRequest(request);
  assert.equal(await readCertificateRequest(request), read);
  // Reads more requests than the cache can keep. They differ only in the number of spaces at the end.
  for (let at = 1; at < 600; at++) await readCertificateRequest(`${request}${" ".repeat(at)}`);
  assert.deepEqual(await readCertificateRequest(request), read);
});
