import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { createCertificateAuthority, isCoded, issueCertificate } from "@keelson/base";
import { machineNetwork } from "./machine-network.ts";

const asked: string[] = [];
let cloud: { readonly url: string; readonly caPem: string };
let end: () => Promise<unknown>;

before(async () => {
  const authority = await createCertificateAuthority("test", 1);
  const pair = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  });
  const tls = { cert: pair.certificatePem, key: pair.privateKeyPem };
  const server = createServer(tls, (request, response) => {
    asked.push(`${request.headers.host}${request.url} ${request.headers.accept}`);
    if (request.url?.startsWith("/denied"))
      response.writeHead(403, { "x-ms-error-code": "AuthenticationFailed" }).end();
    else response.end("x".repeat(100));
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  cloud = { url: `https://localhost:${port}`, caPem: authority.certificatePem };
  end = () => new Promise((resolve) => server.close(resolve));
});
after(() => end());

function fetch(url: string, maxBytes = 1_000) {
  const signal = new AbortController().signal;
  const headers = { accept: "a" };
  return machineNetwork(cloud)({ url: new URL(url), headers, authorities: [], maxBytes, signal });
}

test("blobs are read by the names of Azure, at the simulated Azure's address", async () => {
  const content = await fetch("https://account.blob.core.windows.net/ignition/bootstrap.ign?sig=s");
  assert.equal(content.length, 100);
  assert.equal(asked.at(-1), "account.blob.core.windows.net/ignition/bootstrap.ign?sig=s a");
});

test("the simulated Azure's own address is reachable", async () => {
  const { host } = new URL(cloud.url);
  assert.equal((await fetch(`${cloud.url}/account/x`)).length, 100);
  assert.equal(asked.at(-1), `${host}/account/x a`);
});

for (const [name, url, maxBytes, message] of [
  [
    "an unknown host",
    "https://example.org/x?sig=s",
    1_000,
    /^GET https:\/\/example\.org\/x: .*no such host$/,
  ],
  [
    "a machine config server before its cluster exists",
    "https://10.0.0.4:22623/config/master",
    1_000,
    /connection refused/,
  ],
  [
    "a refusal",
    "https://a.blob.core.windows.net/denied?sig=s",
    1_000,
    /denied: HTTP status 403 AuthenticationFailed$/,
  ],
  ["more content than allowed", "https://a.blob.core.windows.net/x", 10, /too large/],
] as const)
  test(`${name} fails the fetch with the reason and without the signature`, async () => {
    await assert.rejects(
      fetch(url, maxBytes),
      (error) =>
        isCoded(error, "IgnitionUnavailable") &&
        message.test(error.message) &&
        !error.message.includes("sig="),
    );
  });
