import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import {
  serveGraph,
  serveHttps,
  TestRegistry,
  temporaryDirectory,
  testAuthority,
} from "@keelson/mirror/testing";
import { mirrorCredentials, mirrorDestination } from "../azure/mirror-environment.ts";

const main = new URL("../main.ts", import.meta.url).pathname;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function keelson(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", main, ...args],
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

test("keelson mirror copies a release; of an image that fails it says so and exits with 1", async () => {
  let failing = "none";
  await using source = await TestRegistry.start({
    fault: ({ url = "" }) => (url.includes(failing) ? { status: 403, message: "no" } : undefined),
  });
  await using target = await TestRegistry.start();
  using directory = temporaryDirectory();
  const image = source.store.addImage("ocp/parts", [100_000]);
  const payload = await source.store.addPayload("ocp/release", [`${source.host}/ocp/parts@${image.digest}`]);
  const node = (version: string) => ({ version, payload: `${source.host}/ocp/release@${payload.digest}` });
  await using graph = await serveGraph(["4.11.9", "4.12.0", "4.13.0-rc.1", "5.0.0"].map(node));
  writeFileSync(join(directory.path, "ca.pem"), (await testAuthority()).certificatePem);
  const config = join(directory.path, "mirror.json");
  const registry = { caFile: "ca.pem" };
  writeFileSync(
    config,
    JSON.stringify({
      destination: target.host,
      graph: { url: `https://${graph.host}/graph`, caFile: "ca.pem" },
      registries: { [source.host]: registry, [target.host]: registry },
      firstDelayMs: 1,
    }),
  );
  const mirror = (...args: readonly string[]) =>
    keelson("mirror", "--only", "releases", "--config", config, "--state", directory.path, ...args);

  const refused = await mirror("5.0.0");
  assert.deepEqual(
    [refused.code, refused.stderr, target.requests],
    [1, "keelson: refusing to mirror unsupported OpenShift major version 5\n", []],
  );

  const dry = await mirror("--dry-run");
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(dry.stderr, /release 4\.12\.0 lacks 2 of 2 images/);
  assert.match(dry.stdout, /^release 4\.12\.0 lacks 2 of 2 images$/m);
  assert.match(dry.stdout, /^left out of the release graph: 5\.0\.0: major version 5 is not supported$/m);
  assert.doesNotMatch(dry.stdout + dry.stderr, /is complete/);

  const misnamed = await mirror("--metrics-file", join(directory.path, "mirror.txt"));
  assert.equal(misnamed.code, 2);
  assert.match(misnamed.stderr, /mirror\.txt.*extension \.prom, for example/);
  const metrics = join(directory.path, "mirror.prom");

  failing = image.digest;
  const failed = await mirror("--metrics-file", metrics);
  assert.equal(failed.code, 1);
  assert.match(readFileSync(metrics, "utf8"), /^mirror_images\{result="failed"\} 1$/m);
  assert.doesNotMatch(readFileSync(metrics, "utf8"), /mirror_last_success_seconds/);
  assert.match(
    failed.stderr,
    new RegExp(
      `2 failures; .*\n  ${source.host}/ocp/parts@${failing}: RegistryRefused: .*403: UNKNOWN: no\n`,
    ),
  );
  failing = "none";

  const done = await mirror("-o", "json", "--metrics-file", metrics);
  assert.equal(done.code, 0, done.stderr);
  assert.match(readFileSync(metrics, "utf8"), /^mirror_last_success_seconds \d+/m);
  const report = JSON.parse(done.stdout);
  assert.deepEqual(
    report.releases.map(({ version, failed: count }: { version: string; failed: number }) => [
      version,
      count,
    ]),
    [["4.12.0", 0]],
  );
  assert.match(done.stderr, /copied {3}localhost:\d+\/ocp\/parts@sha256:/);
  assert.deepEqual(target.store.contents(), source.store.contents());
});

test("the environment names the destination and how registries are signed in to", () => {
  const auth = Buffer.from("user:pass:word").toString("base64");
  const environment = {
    DST_ACR_NAME: "Name1",
    AZURE_TENANT_ID: "t",
    AZURE_CLIENT_ID: "c",
    AZURE_CLIENT_SECRET: "s",
    SRC_AUTH_QUAY: auth,
  };
  assert.equal(mirrorDestination(environment), "name1.azurecr.io");
  assert.equal(
    mirrorDestination({ ...environment, AZURE_ENVIRONMENT: "AzureUSGovernmentCloud" }),
    "name1.azurecr.us",
  );
  const credentials = mirrorCredentials(environment, "name1.azurecr.io");
  assert.deepEqual(Object.keys(credentials).sort(), ["name1.azurecr.io", "quay.io"]);
  const quay = credentials["quay.io"];
  assert.equal(quay?.kind === "password" && quay.password.reveal(), "pass:word");
  const { AZURE_TENANT_ID: _, AZURE_CLIENT_SECRET: __, ...machine } = environment;
  const ofMachine = mirrorCredentials({ ...machine, AZURE_EV2: "1" }, "name1.azurecr.io");
  assert.deepEqual(
    [ofMachine["name1.azurecr.io"]?.kind, Object(ofMachine["name1.azurecr.io"]).tenantId],
    ["azure", undefined],
  );
  // Azure credentials are used only for the registry in `DST_ACR_NAME`, so a different destination does not get them.
  assert.deepEqual(Object.keys(mirrorCredentials(environment, "other.example")), ["quay.io"]);
  const missing = { code: "SettingMissing", message: /AZURE_CLIENT_ID, AZURE_CLIENT_SECRET$/ };
  assert.throws(
    () => mirrorCredentials({ DST_ACR_NAME: "name1", AZURE_TENANT_ID: "t" }, "name1.azurecr.io"),
    missing,
  );
  assert.throws(() => mirrorCredentials({ SRC_AUTH_QUAY: "??" }, "x"), { code: "SettingMissing" });
  assert.throws(() => mirrorDestination({}), { code: "SettingMissing" });
});

test("SIGTERM prints that the same command continues, and ends the run", async () => {
  await using source = await TestRegistry.start();
  const requested = Promise.withResolvers<void>();
  // The fake release graph server records the request and never responds.
  await using graph = await serveHttps(async () => requested.resolve());
  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, "ca.pem"), (await testAuthority()).certificatePem);
  const config = join(directory.path, "mirror.json");
  writeFileSync(
    config,
    JSON.stringify({
      destination: source.host,
      graph: { url: `https://${graph.host}/graph`, caFile: "ca.pem" },
    }),
  );
  const args = ["mirror", "--only", "releases", "--config", config, "--state", directory.path];
  const child = execFile(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args]);
  let stderr = "";
  child.stderr?.on("data", (text) => {
    stderr += text;
  });
  const closed = once(child, "close");
  await Promise.race([requested.promise, closed.then(() => assert.fail(stderr))]);
  child.kill("SIGTERM");
  const [code] = await closed;
  assert.notEqual(code, 0);
  assert.match(
    stderr,
    /^keelson: stopping: nothing that was copied is lost\. Run the same command again to continue\./m,
  );
});
