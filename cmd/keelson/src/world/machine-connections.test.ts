import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createCertificateAuthority, issueCertificate, Secret } from "@keelson/base";
import { machineConnections } from "./machine-connections.ts";

const token = new Secret("open-sesame");

/** Starts an administration server. Without `banner`, the server runs no machines. */
async function startAdmin(banner?: string) {
  const authority = await createCertificateAuthority("test", 1);
  const tls = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  });
  const server = createServer({ cert: tls.certificatePem, key: tls.privateKeyPem });
  server.on("upgrade", (_, socket) => {
    if (banner === undefined)
      socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    else
      socket.end(`HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: tcp\r\n\r\n${banner}`);
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    caPem: authority.certificatePem,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a connection reaches the process that runs the machine, although a different process is down", async () => {
  await using without = await startAdmin();
  await using running = await startAdmin("SSH-2.0-test");
  const caPem = `${without.caPem}\n${running.caPem}`;
  const connect = machineConnections({ ports: [1, without.port, running.port], caPem, token });
  const connection = await connect({ id: "/vm" }, 22);
  assert.ok(connection);
  let text = "";
  for await (const chunk of connection) text += chunk;
  assert.equal(text, "SSH-2.0-test");
});

test("a closed port is undefined, and an unreachable process is an error", async () => {
  await using without = await startAdmin();
  const { caPem, port } = without;
  assert.equal(await machineConnections({ ports: [port], caPem, token })({ id: "/vm" }, 22), undefined);
  await assert.rejects(machineConnections({ ports: [1, port], caPem, token })({ id: "/vm" }, 22), {
    code: "ECONNREFUSED",
  });
});
