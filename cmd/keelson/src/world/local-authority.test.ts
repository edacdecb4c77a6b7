import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { connect, createServer } from "node:tls";
import { issueCertificate, type KeyPair, messageOf } from "@keelson/base";
import { loadOrCreateAuthority } from "./local-authority.ts";

test("the authority vouches for local names and hosts of Azure only", async () => {
  const directory = mkdtempSync(join(tmpdir(), "keelson-authority-"));
  try {
    const { authority, serving, azureHosts } = await loadOrCreateAuthority(directory);
    const accepted = (pair: KeyPair, servername: string) => handshake(authority, pair, servername);
    assert.equal(await accepted(serving, "localhost"), "ok");
    assert.equal(await accepted(azureHosts, "management.azure.com"), "ok");
    const server = {
      commonName: "www.example.com",
      dnsNames: ["www.example.com"],
      usage: "server",
      validDays: 1,
    } as const;
    const forged = await issueCertificate(authority, server);
    assert.match(await accepted(forged, "www.example.com"), /permitted subtree violation/);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

/** Returns `ok`, or the error of a client that trusts the CA. */
async function handshake(authority: KeyPair, pair: KeyPair, servername: string): Promise<string> {
  const server = createServer({ cert: pair.certificatePem, key: pair.privateKeyPem }).listen(0, "127.0.0.1");
  server.on("tlsClientError", () => undefined);
  await once(server, "listening");
  const { port } = Object(server.address());
  const client = connect({ port, host: "127.0.0.1", servername, ca: authority.certificatePem });
  try {
    await once(client, "secureConnect");
    return "ok";
  } catch (error) {
    return messageOf(error);
  } finally {
    client.destroy();
    server.close();
  }
}

test("certificates are kept, and reissued after their CA changed", async () => {
  const directory = mkdtempSync(join(tmpdir(), "keelson-authority-"));
  try {
    const first = await loadOrCreateAuthority(directory);
    assert.deepEqual(await loadOrCreateAuthority(directory), first);
    rmSync(join(directory, "ca.pem"));
    const second = await loadOrCreateAuthority(directory);
    const { publicKey } = new X509Certificate(second.authority.certificatePem);
    for (const pair of [second.serving, second.azureHosts, second.arm])
      assert.ok(new X509Certificate(pair.certificatePem).verify(publicKey));
  } finally {
    rmSync(directory, { recursive: true });
  }
});
