import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import type { Forecast } from "@keelson/deploy";
import { exampleConfiguration, exampleRegion } from "@keelson/deploy/testing";
import { clientId, clientSecret, startTestAzure, type TestAzure, tenantId } from "@keelson/sim-azure/testing";
import { forecastRows } from "./deploy.ts";

const main = join(import.meta.dirname, "..", "main.ts");
const directory = mkdtempSync(join(tmpdir(), "keelson-deploy-"));
let azure: TestAzure;

const file = (name: string, content: unknown) => {
  writeFileSync(join(directory, name), typeof content === "string" ? content : JSON.stringify(content));
  return join(directory, name);
};

before(async () => {
  azure = await startTestAzure();
  file("ca.pem", azure.caPem);
});
after(async () => {
  await azure[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

function start(...args: readonly string[]): ChildProcess {
  const flags = ["--disable-warning=ExperimentalWarning", main, ...args];
  const signIn = {
    AZURE_TENANT_ID: tenantId,
    AZURE_CLIENT_ID: clientId,
    AZURE_CLIENT_SECRET: clientSecret.reveal(),
  };
  return spawn(process.execPath, flags, { env: { ...process.env, ...signIn }, timeout: 900_000 });
}

async function keelson(...args: readonly string[]) {
  const child = start(...args);
  const [stdout, stderr, [code]] = await Promise.all([
    child.stdout ? text(child.stdout) : "",
    child.stderr ? text(child.stderr) : "",
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}

/** Minimal valid configuration of the service in a region. */
const configuration = () => ({
  ...exampleConfiguration,
  fpServicePrincipalId: azure.objectIdOf(clientId),
  cloud: {
    armEndpoint: azure.url,
    loginEndpoint: azure.url,
    audience: "https://management.azure.com/",
    vaultUrl: `${azure.url}/vaults/{vault}`,
    blobUrl: `${azure.url}/blobs/{account}`,
    caFile: join(directory, "ca.pem"),
  },
  service: {
    installer: { kind: "simulated", clustersUrl: "https://clusters.example.com", caFile: "/etc/ca.pem" },
  },
});

test("what-if predicts a new region, and the first run asks for the values that only an operator can provide", async () => {
  const config = file("config.json", { rps: [exampleRegion], configuration: configuration() });
  const dry = await keelson("deploy", config, "EastUS", "--build", "v1", "--dry-run", "-o", "json");
  assert.equal(dry.code, 0, dry.stderr);
  const forecast: Forecast = JSON.parse(dry.stdout);
  assert.ok(forecast.templates.length > 0);
  assert.ok(forecast.templates.every(({ notYet }) => notYet !== undefined));
  assert.equal((await azure.clients.resources.resourceGroups.checkExistence("rp-eastus")).body, false);

  const first = await keelson("deploy", config, "eastus", "--build", "v1");
  assert.equal(first.code, 1);
  assert.match(first.stderr, /predeploy: rp-production-predeploy/, "progress, line by line");
  assert.match(
    first.stderr,
    /keelson: The vault keelson-eus-svc lacks .*\n {2}rp-server, .*\n {2}rp-firstparty, .*\nThen run /,
  );
  assert.equal(first.stdout, "");
  assert.equal((await azure.clients.resources.resourceGroups.checkExistence("rp-eastus")).body, true);
});

test("an interrupt ends a deployment at once, with the way on", async () => {
  const config = file("config.json", { rps: [exampleRegion], configuration: configuration() });
  const child = start("deploy", config, "eastus", "--build", "v1");
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (more: string) => {
    if (said === "") child.kill("SIGINT");
    said += more;
  });
  const [code] = await once(child, "close");
  assert.equal(code, 130, said);
  assert.match(said, /stopping; run it again to resume/);
});

test("a prediction has a row for each change and marks the values that are not known yet", () => {
  const resourceId =
    "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/rp-vmss-2";
  const templates = [
    { template: "a", group: "g", changes: [{ change: "Create", resourceId }] },
    { template: "b", group: "g", changes: [] },
    { template: "c", group: "h", changes: [], notYet: "its group is not there yet" },
  ];
  assert.deepEqual(forecastRows({ templates, retired: ["rp-vmss-1"] }).slice(1), [
    ["a", "g", "Create", "Microsoft.Compute/virtualMachineScaleSets/rp-vmss-2"],
    ["b", "g", "NoChange", ""],
    ["c", "h", "Unknown", "its group is not there yet"],
    ["", "", "Delete", "rp-vmss-1"],
  ]);
});

test("what cannot be deployed is refused before anything is asked", async () => {
  const config = file("config.json", { rps: [exampleRegion], configuration: configuration() });
  const dirty = await keelson("deploy", config, "eastus", "--build", "3f1c2ab-dirty");
  assert.deepEqual([dirty.code, dirty.stdout], [1, ""]);
  assert.match(dirty.stderr, /'3f1c2ab-dirty' cannot be deployed/);

  const faulty = { ...configuration(), service: { ...configuration().service, wokers: 1 } };
  const wrong = await keelson(
    "deploy",
    file("wrong.json", { rps: [exampleRegion], configuration: faulty }),
    "eastus",
    "--build",
    "v1",
  );
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /wrong\.json: the service of eastus: .*wokers/);

  assert.equal((await keelson("deploy")).code, 2);
});

test("a machine's configuration needs settings that are some", async () => {
  const { code, stderr } = await keelson(
    "host-config",
    "--settings",
    file("host.json", "{}"),
    "--directory",
    directory,
  );
  assert.equal(code, 1);
  assert.match(stderr, /is no settings of a machine/);
});
