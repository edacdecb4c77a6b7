import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { setDefaultCACertificates, connect as tlsConnect } from "node:tls";
import { NetworkManagementClient } from "@azure/arm-network";
import { ClientSecretCredential } from "@azure/identity";
import { SecretClient } from "@azure/keyvault-secrets";
import { createCertificateAuthority, issueCertificate, type KeyPair } from "@keelson/base";
import {
  clientId,
  clientSecret,
  location,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  tenantId,
} from "../testing/test-azure.ts";
import { azureHostNames } from "./azure-hosts.ts";

/** Tests the official SDKs with Azure's built-in host names. Only a proxy and a CA are configured. */
describe("the proxy", { timeout: 900_000 }, () => {
  let tls: KeyPair;
  let azure: TestAzure;
  let port: number;
  let options: { readonly proxyOptions: { host: string; port: number }; readonly retryOptions: object };
  let credential: ClientSecretCredential;
  const group = `/subscriptions/${subscriptionId}/resourceGroups/named`;

  before(async () => {
    const authority = await createCertificateAuthority("proxy test CA", 1);
    tls = await issueCertificate(authority, {
      commonName: "management.azure.com",
      dnsNames: azureHostNames,
      usage: "server",
      validDays: 1,
    });
    azure = await startTestAzure({ proxy: { host: "127.0.0.1", port: 0, tls } });
    port = azure.proxyPort ?? 0;
    options = { proxyOptions: { host: "http://127.0.0.1", port }, retryOptions: { maxRetries: 0 } };
    credential = new ClientSecretCredential(tenantId, clientId, clientSecret.reveal(), options);
    // The CA is set globally, because the SDKs do not support a custom CA together with a proxy.
    setDefaultCACertificates([authority.certificatePem]);
    await azure.arm("PUT", `${group}?api-version=2021-04-01`, { location });
  });
  after(() => azure[Symbol.asyncDispose]());

  test("connects to Azure Resource Manager and Entra ID by their own names, also in links of responses", async () => {
    const networks = new NetworkManagementClient(credential, subscriptionId, options).virtualNetworks;
    const addressSpace = { addressPrefixes: ["10.0.0.0/16"] };
    const made = await networks.beginCreateOrUpdateAndWait("named", "v", { location, addressSpace });
    assert.equal(made.provisioningState, "Succeeded");
    const names = [];
    for await (const each of networks.list("named")) names.push(each.name);
    assert.deepEqual(names, ["v"]);
    await networks.beginDeleteAndWait("named", "v");
  });

  test("connects to Microsoft Graph and to each key vault, with a challenge that names the sign-in host", async () => {
    const { token } = await credential.getToken("https://graph.microsoft.com/.default");
    const me = await raw(port, "graph.microsoft.com", `/v1.0/servicePrincipals(appId='${clientId}')`, token);
    assert.match(me, /^HTTP\/1\.1 200 .*"https:\/\/graph\.microsoft\.com\/v1\.0\/\$metadata/s);
    const refused = await raw(port, "one.vault.azure.net", "/secrets?api-version=7.5");
    assert.match(
      refused,
      new RegExp(`^HTTP/1.1 401 .*authorization="https://login.microsoftonline.com/${tenantId}"`, "s"),
    );
    const [one, other] = ["one", "other"].map(
      (name) => new SecretClient(`https://${name}.vault.azure.net`, credential, options),
    );
    for (let i = 0; i < 27; i++) await one?.setSecret(`s${i}`, `value ${i}`);
    assert.equal((await one?.getSecret("s3"))?.value, "value 3");
    let pages = 0;
    for await (const _ of one?.listPropertiesOfSecrets().byPage() ?? []) pages++;
    assert.equal(pages, 2);
    await assert.rejects(other?.getSecret("s3") ?? Promise.resolve(), { statusCode: 404 });
  });

  test("forwards to container registries and their data endpoints by their own names", async () => {
    for (const host of ["keelson.azurecr.io", "keelson.eastus.data.azurecr.io"])
      assert.match(await raw(port, host, "/"), /^HTTP\/1\.1 \d{3} /);
  });

  for (const target of [
    "example.com:443",
    "a.b.azurecr.io:443",
    "azurecr.io:443",
    "management.azure.com:80",
    "management.azure.com",
    "management.azure.com.example.com:443",
    "a.b.vault.azure.net:443",
    "vault.azure.net:443",
    "localhost:443",
    "127.0.0.1:{port}",
    "[::1]:443",
  ]) {
    test(`refuses to connect to ${target}`, async () => {
      const { status, socket } = await tunnel(port, target.replace("{port}", String(port)));
      assert.equal(status, 403);
      socket.destroy();
    });
  }

  test("forwards plain requests for the instance metadata service only", async () => {
    const statusOf = async (path: string) => {
      const asked = request({ host: "127.0.0.1", port, path, headers: { metadata: "true" } }).end();
      const [response] = await once(asked, "response");
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      return [response.statusCode, text];
    };
    const [status, text] = await statusOf("http://169.254.169.254/metadata/identity/oauth2/token?resource=r");
    assert.deepEqual([status, JSON.parse(String(text)).error_description], [400, "Identity not found"]);
    for (const path of ["http://example.com/", "http://169.254.169.254/subscriptions", "/metadata/endpoints"])
      assert.equal((await statusOf(path))[0], 403, path);
  });

  test("keeps serving after clients that do not use TLS or disconnect", async () => {
    const { socket } = await tunnel(port, "management.azure.com:443");
    socket.end("GET / HTTP/1.1\r\n\r\n");
    await once(socket.resume(), "close");
    const gone = connect(port, "127.0.0.1");
    await once(gone, "connect");
    gone.write("CONNECT management.azure.com:443 HTTP/1.1\r\n\r\n", () => gone.resetAndDestroy());
    await once(gone, "close");
    assert.match(
      await raw(port, "management.azure.com", "/metadata/endpoints"),
      /MissingApiVersionParameter/,
    );
  });

  test("connects API servers of clusters by their names, on port 6443 only", async () => {
    const clusters = createServer((socket) => socket.once("data", () => socket.end("cluster")));
    clusters.listen(0, "127.0.0.1");
    await once(clusters, "listening");
    const { port: clustersPort } = clusters.address() as AddressInfo;
    await using own = await startTestAzure({
      proxy: { host: "127.0.0.1", port: 0, tls, clusters: { host: "127.0.0.1", port: clustersPort } },
    });
    const { dns, resources } = own.clients;
    await resources.resourceGroups.createOrUpdate("g", { location });
    await dns.zones.createOrUpdate("g", "example.org", { location: "global" });
    const aRecords = [{ ipv4Address: "192.0.2.1" }];
    await dns.recordSets.createOrUpdate("g", "example.org", "api.demo", "A", { ttl: 300, aRecords });
    const statusOf = async (target: string) => {
      const { status, socket } = await tunnel(own.proxyPort ?? 0, target);
      if (status === 200) socket.write("hello");
      let text = "";
      for await (const chunk of socket) text += chunk;
      return [status, status === 200 ? text : ""];
    };
    assert.deepEqual(await statusOf("api.demo.example.org:6443"), [200, "cluster"]);
    assert.deepEqual(await statusOf("API-INT.demo.example.org:6443"), [200, "cluster"]);
    for (const target of [
      "api.demo.example.org:443",
      "api.other.example.org:6443",
      "www.demo.example.org:6443",
    ])
      assert.deepEqual(await statusOf(target), [403, ""]);
    clusters.close();
    await once(clusters, "close");
    assert.deepEqual(await statusOf("api.demo.example.org:6443"), [502, ""]);
  });

  test("stops despite the connections that clients keep open, in any state", async () => {
    const own = await startTestAzure({ proxy: { host: "127.0.0.1", port: 0, tls } });
    const to = async () => (await tunnel(own.proxyPort ?? 0, "management.azure.com:443")).socket;
    const untouched = await to();
    const [idle, halfClosed] = [await to(), await to()].map((socket) =>
      tlsConnect({ socket, servername: "management.azure.com" }),
    );
    for (const each of [idle, halfClosed]) if (each) await once(each, "secureConnect");
    halfClosed?.end();
    for (const each of [untouched, idle, halfClosed]) each?.on("error", () => {});
    await own[Symbol.asyncDispose]();
    for (const each of [untouched, idle, halfClosed]) each?.destroy();
  });
});

function tunnel(port: number, target: string): Promise<{ status: number; socket: Socket }> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, method: "CONNECT", path: target });
    asked.on("connect", ({ statusCode = 0 }, socket: Socket) => resolve({ status: statusCode, socket }));
    asked.on("error", reject);
    asked.end();
  });
}

/** Sends a request and returns the complete response as a string. */
async function raw(port: number, host: string, path: string, token?: string): Promise<string> {
  const { socket } = await tunnel(port, `${host}:443`);
  const secure = tlsConnect({ socket, servername: host });
  const authorization = token ? `authorization: Bearer ${token}\r\n` : "";
  secure.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${authorization}connection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of secure.setEncoding("utf8")) text += chunk;
  return text;
}
