/**
 * Tests `az` together with service administration: published and withdrawn versions, and a development resource provider at its
 * default port.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { parseEnv, promisify } from "node:util";
import { BalancedPort } from "../../../cmd/keelson/src/world/machines/balanced-port.ts";
import { BuiltWheel } from "../../python/support/python.ts";
import { ArmClient } from "../support/arm-client.ts";
import { readEndpoints } from "../support/endpoints.ts";
import { eventually } from "../support/eventually.ts";
import { Fleet } from "../support/fleet.ts";
import { Program } from "../support/program.ts";
import { Az, azVersions } from "./support/az.ts";

const run = promisify(execFile);
const main = join(import.meta.dirname, "../../../cmd/keelson/src/main.ts");
/** Port at which the extension expects the resource provider if RP_MODE=development is set. */
const developmentPort = 8_443;

describe("az beside an operator's commands", { timeout: 900_000 }, () => {
  const stack = new AsyncDisposableStack();
  let fleet: Fleet;
  let client: ArmClient;
  let az: (name: string, change?: Readonly<Record<string, string>>) => Az;

  before(async () => {
    fleet = stack.use(await Fleet.start({ names: ["dev"] }));
    const flags = ["--config", fleet.state.file("fleet.json"), "--database", fleet.databaseUrl];
    await stack.use(Program.start("rp", ...flags, "--metrics-port", "0")).says(/"rp"/);
    client = stack.use(new ArmClient(fleet.state.file("endpoints.json")));
    const exported = await Program.run("az-env", "--state", fleet.state.path);
    const environment = Object.fromEntries(
      Object.entries(parseEnv(exported.stdout)).map(([name, value]) => [name, value ?? ""]),
    );
    az = (name, change = {}) =>
      new Az({
        version: azVersions.newest,
        configDirectory: fleet.state.file(`az-${name}`),
        environment: { ...environment, ...change },
      });
    await az("core").signIn(readEndpoints(fleet.state.file("endpoints.json")));
  });
  after(() => stack.disposeAsync());

  const publish = (streams: object) =>
    run(
      process.execPath,
      [
        ...["--disable-warning=ExperimentalWarning", main, "update-versions", "-o", "json"],
        ...["--config", fleet.state.file("fleet.json"), "--database", fleet.databaseUrl],
      ],
      {
        env: {
          ...process.env,
          OPENSHIFT_VERSIONS: JSON.stringify(streams),
          INSTALLER_IMAGE_DIGESTS: JSON.stringify({
            "4.18": `sha256:${"a".repeat(64)}`,
            "4.19": `sha256:${"b".repeat(64)}`,
          }),
        },
      },
    );

  test("update-versions: two defaults are refused, and a version that is withdrawn is gone from az at once", async () => {
    const versions = () => az("core").json("aro", "get-versions", "--location", "eastus");
    const before = await versions();
    assert.ok(Array.isArray(before) && before.length === 2, JSON.stringify(before));
    const [older = "", newer = ""] = before.map(String);
    await assert.rejects(publish({ DefaultStream: { [older]: "quay.io/a:1", [newer]: "quay.io/a:2" } }), {
      code: 1,
      stderr: /DefaultStream must have exactly 1 entry, found 2/,
    });
    assert.deepEqual(await versions(), before);
    await publish({ DefaultStream: { [newer]: "quay.io/a:2" }, InstallStreams: {} });
    await eventually(async () => assert.deepEqual(await versions(), [newer]));
    const { rows } = await fleet.database.query<{ body: string }>(
      "select body::text as body from openshift_versions",
    );
    const marked = rows.map(({ body }) => JSON.parse(body)).filter(({ deleting }) => deleting === true);
    assert.deepEqual(
      marked.map(({ openShiftVersion, ttlSeconds }) => [openShiftVersion.properties.version, ttlSeconds]),
      [[older, 60]],
    );
  });

  test("RP_MODE=development: the extension reads clusters from the resource provider of this machine", async (t) => {
    const usual = await BalancedPort.open(developmentPort, () => [Number(new URL(client.rp).port)]).catch(
      () => undefined,
    );
    if (!usual) return t.skip(`port ${developmentPort} is taken`);
    stack.use(usual);
    await client.registerSubscription();
    await client.createCluster("dev", "20191231");
    assert.equal(await client.terminal("dev"), "Succeeded");
    using wheel = await BuiltWheel.build("az-extension");
    const development = az("development", {
      RP_MODE: "development",
      AZURE_EXTENSION_DIR: fleet.state.file("extensions"),
    });
    await development.text("extension", "add", "--yes", "--source", wheel.file);
    await development.signIn(readEndpoints(fleet.state.file("endpoints.json")));
    const shown = await development.json("aro", "show", "-g", "dev", "-n", "dev");
    assert.match(JSON.stringify(shown), /"provisioningState": ?"Succeeded"/);
    const file = fleet.state.file("dev.kubeconfig");
    await development.text("aro", "get-admin-kubeconfig", "-g", "dev", "-n", "dev", "--file", file);
    const { code, stderr } = await development.run(
      "aro",
      "get-admin-kubeconfig",
      "-g",
      "dev",
      "-n",
      "dev",
      "--file",
      file,
    );
    assert.notEqual(code, 0);
    assert.match(stderr, /already exists/);
  });
});
