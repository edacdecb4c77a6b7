/** Replaces the certificate of the service's application while the service runs, and revokes the previous one. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { issueCertificate, type KeyPair } from "@keelson/base";
import { Agent, request } from "undici";
import { armToken, readEndpoints } from "./support/endpoints.ts";
import { Fleet } from "./support/fleet.ts";
import { Program } from "./support/program.ts";
import { startProvider } from "./support/service-process.ts";

const stack = new AsyncDisposableStack();
let fleet: Fleet;
let configFile: string;
let clientId: string;

before(async () => {
  fleet = stack.use(await Fleet.start({ names: ["before", "after"], operators: "none" }));
  configFile = fleet.state.file("certificate.json");
  const config = JSON.parse(readFileSync(fleet.state.file("fleet.json"), "utf8"));
  clientId = config.firstParty.clientId;
  const files = { certificateFile: fleet.state.file("fp.pem"), keyFile: fleet.state.file("fp-key.pem") };
  const database = { kind: "postgres", url: fleet.databaseUrl };
  writeFileSync(configFile, JSON.stringify({ ...config, database, firstParty: { clientId, ...files } }), {
    mode: 0o600,
  });
});
after(() => stack[Symbol.asyncDispose]());

const issue = (validDays: number) =>
  issueCertificate(undefined, { commonName: "service", usage: "client", validDays, keyType: "rsa" });

function write({ certificatePem, privateKeyPem }: KeyPair): void {
  writeFileSync(fleet.state.file("fp.pem"), certificatePem);
  writeFileSync(fleet.state.file("fp-key.pem"), privateKeyPem);
}

/** Makes `pair` the only certificate of the application. */
async function register({ certificatePem }: KeyPair): Promise<void> {
  const endpoints = readEndpoints(fleet.state.file("endpoints.json"));
  await using agent = new DisposableAgent(readFileSync(endpoints.caFile, "utf8"));
  const token = await armToken(endpoints, agent, "https://graph.microsoft.com/.default");
  const graph = async (method: "GET" | "PATCH", path: string, body?: object) => {
    const response = await request(`${endpoints.graph}/v1.0/${path}`, {
      method,
      dispatcher: agent,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.body.text();
    assert.ok(response.statusCode < 300, text);
    return text === "" ? undefined : JSON.parse(text);
  };
  const filter = encodeURIComponent(`appId eq '${clientId}'`);
  const { value } = await graph("GET", `applications?$filter=${filter}`);
  const key = certificatePem.replace(/-----[^-]+-----|\s/g, "");
  await graph("PATCH", `applications/${value[0].id}`, {
    keyCredentials: [{ type: "AsymmetricX509Cert", usage: "Verify", key }],
  });
}

class DisposableAgent extends Agent implements AsyncDisposable {
  constructor(ca: string) {
    super({ connect: { ca } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

test("a running service signs in with a replaced certificate after the previous one was revoked", {
  timeout: 900_000,
}, async () => {
  const [first, second] = [await issue(40), await issue(10)];
  await register(first);
  write(first);
  const endpoints = fleet.state.file("endpoints.json");
  const { program, client } = await startProvider(stack, { config: configFile, endpoints });
  await client.createCluster("before");
  assert.equal(await client.terminal("before"), "Succeeded");

  await register(second);
  write(second);
  const expiry = async () => {
    const { body } = await request(new URL(JSON.parse(program.stdout.split("\n")[0] ?? "").metrics));
    const [, seconds] =
      /^service_certificate_expiry_seconds\{certificate="firstParty"\} (\S+)$/m.exec(await body.text()) ?? [];
    return Number(seconds) - Date.now() / 1_000;
  };
  while ((await expiry()) > 20 * 86_400) await delay(500);
  await program.reports(/"file":"[^"]*fp\.pem"[^\n]*"msg":"serving a renewed certificate"/);

  await client.createCluster("after");
  assert.equal(await client.terminal("after"), "Succeeded");

  const doctor = await Program.run("doctor", "--config", configFile, "-o", "json");
  const { findings } = JSON.parse(doctor.stdout);
  const found = findings.find(({ check }: { check: string }) => check === "certificate firstParty");
  assert.equal(found?.status, "warning", doctor.stdout);
  assert.match(found.summary, /ends in (?:9|10) days/);
});
