import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { createServer, request } from "node:https";
import { test } from "node:test";
import { createCertificateAuthority, issueCertificate } from "./certificates.ts";

test("issued certificates carry a real mutual TLS connection", async (t) => {
  const authority = await createCertificateAuthority("test authority", 1);
  const server = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  });
  const client = await issueCertificate(authority, {
    commonName: "system:admin",
    organizations: ["system:masters"],
    usage: "client",
    validDays: 1,
  });
  const listener = createServer({
    cert: server.certificatePem,
    key: server.privateKeyPem,
    ca: authority.certificatePem,
    requestCert: true,
    rejectUnauthorized: true,
  });
  listener.on("request", (incoming, outgoing) => {
    const socket = incoming.socket;
    outgoing.end(
      "getPeerCertificate" in socket ? JSON.stringify(Object(socket).getPeerCertificate().subject) : "",
    );
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  t.after(() => listener.close());
  const address = listener.address();
  assert.ok(address && typeof address === "object");
  const body = await new Promise<string>((resolve, reject) => {
    const call = request({
      host: "127.0.0.1",
      port: address.port,
      servername: "localhost",
      ca: authority.certificatePem,
      cert: client.certificatePem,
      key: client.privateKeyPem,
      agent: false,
    });
    call.on("error", reject).on("response", (response) => {
      response.setEncoding("utf8").on("data", resolve);
    });
    call.end();
  });
  assert.deepEqual(JSON.parse(body), { O: "system:masters", CN: "system:admin" });
});

test("a CA signs with its own key for the requested days", async () => {
  const authority = await createCertificateAuthority("one", 1);
  const other = await createCertificateAuthority("two", 1);
  const leaf = new X509Certificate(
    (await issueCertificate(authority, { commonName: "leaf", usage: "both", validDays: 365 })).certificatePem,
  );
  assert.ok(leaf.verify(new X509Certificate(authority.certificatePem).publicKey));
  assert.ok(!leaf.verify(new X509Certificate(other.certificatePem).publicKey));
  const days = (Date.parse(leaf.validTo) - Date.now()) / 86_400_000;
  assert.ok(days > 364.9 && days < 365.1);
});

test("RSA keys sign and are signed, and a certificate may sign itself", async () => {
  const authority = await createCertificateAuthority("rsa authority", 1, "rsa");
  const key = new X509Certificate(authority.certificatePem).publicKey;
  assert.equal(key.asymmetricKeyType, "rsa");
  const leaf = await issueCertificate(authority, { commonName: "leaf", usage: "server", validDays: 1 });
  assert.ok(new X509Certificate(leaf.certificatePem).verify(key));
  const own = await issueCertificate(undefined, {
    commonName: "own",
    usage: "client",
    validDays: 1,
    keyType: "rsa",
  });
  const certificate = new X509Certificate(own.certificatePem);
  assert.ok(certificate.verify(certificate.publicKey));
  assert.equal(certificate.issuer, certificate.subject);
});
