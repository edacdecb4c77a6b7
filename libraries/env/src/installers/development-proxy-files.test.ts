import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { issueCertificate, type KeyPair } from "@keelson/base";
import { readDevelopmentProxyFiles } from "./development-proxy-files.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-proxy-"));
after(() => rmSync(directory, { recursive: true }));

function file(name: string, content: string | Buffer): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

const issue = (keyType: "rsa" | "ecdsa") =>
  issueCertificate(undefined, { commonName: "proxy", usage: "client", validDays: 1, keyType });

let proxy: KeyPair;
let client: KeyPair;
before(async () => {
  [proxy, client] = await Promise.all([issue("rsa"), issue("rsa")]);
});

function der({ certificatePem, privateKeyPem }: KeyPair) {
  return {
    certificate: new X509Certificate(certificatePem).raw,
    key: createPrivateKey(privateKeyPem).export({ type: "pkcs1", format: "der" }),
  };
}

for (const format of ["PEM", "DER"] as const) {
  test(`files in ${format} become DER, the key PKCS#1`, () => {
    // `keelson genkey` writes the key and its certificate to one PEM file.
    const both = client.privateKeyPem + client.certificatePem;
    const read = readDevelopmentProxyFiles(
      format === "PEM"
        ? {
            certificateFile: file("proxy.pem", proxy.certificatePem),
            clientCertificateFile: file("client.pem", both),
            clientKeyFile: file("client.pem", both),
          }
        : {
            certificateFile: file("proxy.crt", der(proxy).certificate),
            clientCertificateFile: file("client.crt", der(client).certificate),
            clientKeyFile: file("client.key", der(client).key),
          },
    );
    assert.deepEqual(
      Object.entries(read).map(([name, secret]) => [name, secret.reveal()]),
      [
        ["proxy.crt", der(proxy).certificate.toString("base64")],
        ["proxy-client.crt", der(client).certificate.toString("base64")],
        ["proxy-client.key", der(client).key.toString("base64")],
      ],
    );
  });
}

test("an unusable file is refused with its property", async () => {
  const ec = await issue("ecdsa");
  const files = {
    certificateFile: file("proxy.pem", proxy.certificatePem),
    clientCertificateFile: file("client-certificate.pem", client.certificatePem),
    clientKeyFile: file("client-key.pem", client.privateKeyPem),
  };
  const none = join(directory, "none");
  const ecFiles = {
    clientCertificateFile: file("ec.crt", ec.certificatePem),
    clientKeyFile: file("ec.key", ec.privateKeyPem),
  };
  for (const [change, message] of [
    [{ certificateFile: none }, /installer\.developmentProxy\.certificateFile: .*none cannot be used/],
    [{ clientCertificateFile: files.clientKeyFile }, /developmentProxy\.clientCertificateFile/],
    [
      { clientKeyFile: file("other.pem", proxy.privateKeyPem) },
      /clientKeyFile.*not the key of clientCertificateFile/,
    ],
    [ecFiles, /clientKeyFile.*not an RSA key/],
  ] as const)
    assert.throws(() => readDevelopmentProxyFiles({ ...files, ...change }), message);
});
