/**
 * Tests the image keelson-dev: starts it with its default command and connects to it through an address other than the loopback
 * address.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { request } from "node:https";
import { networkInterfaces } from "node:os";
import { resolve } from "node:path";
import process from "node:process";
import { after, before, type TestContext, test } from "node:test";
import { startPostgres } from "@keelson/database/testing";
import { parse } from "yaml";
import { eventually } from "../e2e/support/eventually.ts";
import type { Program } from "../e2e/support/program.ts";
import { debianRoot, Image } from "./support/image.ts";

let image: Image | undefined;
const cannotBuild =
  process.getuid?.() !== 0
    ? "only root may change the root directory"
    : spawnSync("buildah", ["--version"]).status !== 0 || !existsSync(debianRoot)
      ? "no buildah or no base image: run scripts/install-clients.sh"
      : undefined;

before(async () => {
  if (!cannotBuild) image = await Image.build("dev");
});
after(() => image?.[Symbol.asyncDispose]());

function built(t: TestContext): Image | undefined {
  if (cannotBuild) t.skip(cannotBuild);
  return image;
}

test("the image starts `keelson up` with published ports as a user without rights, and contains no test", (t) => {
  const dev = built(t);
  if (!dev) return;
  assert.equal(dev.config.User, "65532:65532");
  assert.deepEqual(dev.config.Entrypoint, ["keelson"]);
  assert.deepEqual(dev.config.Cmd, ["up", "--state", "/state", "--publish"]);
  assert.equal(Object.keys(dev.config.ExposedPorts ?? {}).length, 10);
  const files = dev.files("keelson").filter((path) => !path.includes("node_modules/"));
  assert.deepEqual(
    files.filter((path) => /^(?:tests|bench|clients)\b|\.test\.ts$|\/testing\//.test(path)),
    [],
  );
  t.diagnostic(`${(dev.bytes / 2 ** 20).toFixed(0)} MiB beside Node and Debian`);
});

test("clients of other machines use the ARM API of the running image, its health check succeeds, and it drains on SIGTERM", {
  timeout: 900_000,
}, async (t) => {
  const dev = built(t);
  if (!dev) return;
  const command = [...(dev.config.Cmd ?? []), "--ports", "auto"];
  await using running = dev.start(...command);
  await running.says(/^endpoints /m, 600_000);
  await dev.exec("keelson", "status", "--state", "/state");
  const { rp, subscriptionId }: { readonly rp: string; readonly subscriptionId: string } = JSON.parse(
    dev.read("state/endpoints.json"),
  );
  const ca = dev.read("state/ca.pem");
  const address = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4")?.address;
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters?api-version=2025-07-25`;
  const get = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { port } = new URL(rp);
      request({ host, port, path, ca, servername: "localhost" }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });
  for (const host of ["localhost", ...(address === undefined ? [] : [address])])
    await eventually(async () => assert.equal(await get(host), 200, host));
  assert.match(
    await dev.exec("keelson", "kubeconfig", "demo", "--state", "/state"),
    /server: https:\/\/localhost:\d+/,
  );
  assert.equal(await running.signal("SIGTERM"), 0);
});

interface ComposeService {
  readonly command?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}

test("the image runs the commands of deploy/compose.yaml with PostgreSQL, and the health check of a resource provider succeeds", {
  timeout: 900_000,
}, async (t) => {
  const dev = built(t);
  if (!dev) return;
  const compose: { readonly services: Readonly<Record<string, ComposeService>> } = parse(
    readFileSync(resolve(import.meta.dirname, "../../deploy/compose.yaml"), "utf8"),
    { merge: true },
  );
  const { azure, postgres: _postgres, ...roles } = compose.services;
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await startPostgres());
  const url = await postgres.createDatabase();
  // All processes share the network addresses of this machine, so each process chooses free ports.
  const here = (command: readonly string[] = []) =>
    command.map((word, at) => {
      if (word.startsWith("postgres://")) return url;
      if (command[at - 1]?.endsWith("-port") || command[at - 1] === "--port") return "0";
      return word === "/state" ? "/state/compose" : word;
    });
  const world = stack.use(dev.start(...here(azure?.command), "--ports", "auto"));
  await world.says(/"arm"/, 600_000);
  // The first process creates the tables.
  const started = new Map<string, Program>();
  for (const [name, { command }] of Object.entries(roles)) {
    const further =
      name === "rp-1" ? ["--port", "0"] : name === "portal" ? ["--port", "0", "--ssh-port", "0"] : [];
    const metrics = command?.includes("--metrics-port") ? [] : ["--metrics-port", "0"];
    const program = stack.use(dev.start(...here(command), ...further, ...metrics));
    started.set(name, program);
    await program.says(/^\{/m, 600_000);
  }
  assert.equal(started.size, 6);
  const { rp }: { readonly rp: string } = JSON.parse(started.get("rp-2")?.stdout ?? "");
  const [, ...check] = roles["rp-2"]?.healthcheck?.test ?? [];
  const variables = [`READY=${rp}/healthz/ready`, "NODE_EXTRA_CA_CERTS=/state/compose/ca.pem"];
  await eventually(async () => dev.exec("env", ...variables, ...check));
  await assert.rejects(dev.exec("env", "READY=https://localhost:1/", ...check));
  for (const program of [...started.values()].toReversed()) assert.equal(await program.signal("SIGTERM"), 0);
});
