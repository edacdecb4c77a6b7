/** Tests the published packages. Packs them, installs each alone in an empty project and runs the examples of its README. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { packPublished } from "../../scripts/pack/pack-published.ts";
import { publications } from "../../scripts/pack/publications.ts";

const run = promisify(execFile);
/** Environment in which installed programs run with the Node.js of this test. The machine's version may be too old for them. */
const environment = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
};
const root = resolve(import.meta.dirname, "../..");
const directory = mkdtempSync(join(tmpdir(), "keelson-packages-"));
const tsc = join(root, "node_modules/.bin/tsc");
/** Archive paths by package name. */
const archives = new Map<string, string>();
const projects = new Map<string, Promise<string>>();

before(() => {
  const names = publications.map(({ name }) => name);
  for (const [at, path] of packPublished(root, join(directory, "archives")).entries())
    archives.set(names[at] ?? "", path);
});
after(() => rmSync(directory, { recursive: true }));

/**
 * Installs archives in an empty project. Repeated calls return the existing project. For third-party packages, npm uses its cache
 * if possible.
 */
function installed(...names: readonly string[]): Promise<string> {
  const key = names.join("+").replaceAll("/", "_");
  const existing = projects.get(key);
  if (existing) return existing;
  const project = join(directory, key);
  const installation = (async () => {
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", private: true }));
    const options = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];
    const files = names.map((name) => archives.get(name) ?? "");
    await run("npm", ["install", ...options, ...files], { cwd: project });
    return project;
  })();
  projects.set(key, installation);
  return installation;
}

/** Returns a TypeScript example of a README. */
function example(readme: string, index = 0): string {
  const [, code] =
    [...readFileSync(join(root, readme), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)][index] ?? [];
  assert.ok(code, readme);
  return code;
}

/** Runs a module in a project. The project contains no source code of this repository. */
async function runModule(project: string, name: string, code: string): Promise<string> {
  writeFileSync(join(project, name), code);
  const { stdout } = await run(process.execPath, [name], { cwd: project, timeout: 900_000 });
  return stdout;
}

test("an archive contains the build output, without sources and tests, and its executables are executable", async () => {
  const project = await installed("@keelson/apiserver");
  assert.deepEqual(
    globSync("node_modules/@keelson/*", { cwd: project }).map((path) => basename(path)),
    ["apiserver"],
    "the archive installs alone",
  );
  const files = globSync("node_modules/@keelson/**/*.*", { cwd: project });
  assert.ok(files.length > 500, `${files.length}`);
  assert.deepEqual(
    files.filter((path) => /(?<!\.d)\.ts$|\.test\.|\/testing\//.test(path)),
    [],
  );
  const own = join(project, "node_modules/@keelson/apiserver");
  assert.ok(files.includes("node_modules/@keelson/apiserver/node_modules/@keelson/cel/lib/index.js"));
  for (const path of ["README.md", "LICENSE", "node_modules/@keelson/base/LICENSE"])
    assert.ok(statSync(join(own, path)).isFile(), path);
  for (const name of ["envtest/kube-apiserver", "envtest/etcd"])
    assert.ok((statSync(join(own, name)).mode & 0o111) !== 0, name);
});

test("both examples of the API server run in an empty project", async () => {
  const project = await installed("@keelson/apiserver");
  const readme = "simulators/apiserver/README.md";
  assert.match(await runModule(project, "cluster.ts", example(readme)), /^https:\/\/localhost:\d+ 1\n$/);
  assert.match(
    await runModule(project, "server.ts", example(readme, 1)),
    /^https:\/\/localhost:\d+\/clusters\/demo\n$/,
  );
});

test("the API server stores objects in a file, in a separate thread for SQLite", async () => {
  const project = await installed("@keelson/apiserver");
  const file = join(project, "clusters.db");
  const code = example("simulators/apiserver/README.md", 1).replace(
    '{ kind: "memory" }',
    `{ kind: "file", path: ${JSON.stringify(file)} }`,
  );
  await runModule(project, "file.ts", code);
  assert.ok(readFileSync(file).length > 0);
});

test("keelson-apiserver of an installed package names a missing option", async () => {
  const project = await installed("@keelson/apiserver");
  const program = join(project, "node_modules/.bin/keelson-apiserver");
  await assert.rejects(run(program, [], { env: environment }), {
    code: 2,
    stderr: /missing option --kubeconfig FILE/,
  });
  assert.match(
    (await run(program, ["--help"], { env: environment })).stdout,
    /^Usage: keelson-apiserver --kubeconfig FILE/,
  );
});

test("the example of the simulated Azure runs in an empty project, and keelson-azure names a missing option", async () => {
  const project = await installed("@keelson/sim-azure");
  const stdout = await runModule(project, "azure.ts", example("simulators/azure/README.md"));
  assert.match(stdout, /^https:\/\/localhost:\d+ [0-9a-f-]{36} [0-9a-f-]{36} 48\n$/);
  const program = join(project, "node_modules/.bin/keelson-azure");
  await assert.rejects(run(program, [], { env: environment }), {
    code: 2,
    stderr: /missing option --endpoints FILE/,
  });
});

test("the example of the simulated OpenShift runs a pod in an empty project", async () => {
  const project = await installed("@keelson/sim-openshift");
  const stdout = await runModule(project, "openshift.ts", example("simulators/openshift/README.md"));
  assert.equal(stdout, "running\n");
});

test("keelson of an installed package starts the service, its portal and its console, and creates a cluster", async () => {
  const project = await installed("keelson");
  const program = join(project, "node_modules/.bin/keelson");
  const state = join(project, "state");
  const env = { ...environment, KEELSON_OPERATORS: "none" };
  const keelson = (...args: readonly string[]) =>
    run(program, [...args, "--state", state], { cwd: project, env, timeout: 900_000, maxBuffer: 2 ** 26 });
  assert.match(
    (await run(program, ["version"], { cwd: project, env })).stdout,
    /^keelson \d+\.\d+\.\d+ \(node /,
  );
  try {
    const up = await keelson("up", "--detach", "--ports", "auto", "-o", "json");
    const { portal, console: link }: { readonly portal: string; readonly console: string } = JSON.parse(
      up.stdout,
    );
    const { stdout: config } = await keelson("kubeconfig", "demo");
    assert.match(config, /^current-context: /m);
    const { stdout: list } = await keelson("cluster", "list", "-o", "json");
    assert.match(list, /"demo"/);
    const page = async (url: string) => (await run("curl", ["-sk", url])).stdout;
    // The pages' files need no sign-in. The requests fail if the package contains no built pages.
    for (const url of [portal.replace(/ .*/, ""), link])
      assert.match(await page(new URL("/favicon.svg", url).href), /<svg/, url);
    const { stdout: status } = await keelson("status", "-o", "json");
    assert.equal(JSON.parse(status).state, "running");
  } finally {
    await keelson("down");
  }
});

test("the workflow's example runs in an empty project, on a separate database", async () => {
  const project = await installed("@keelson/base", "@keelson/database", "@keelson/workflow");
  writeFileSync(join(project, "shipping.ts"), example("libraries/workflow/README.md"));
  assert.ok(statSync(join(project, "node_modules/@keelson/database/sql/000001.sql")).isFile());
  const stdout = await runModule(
    project,
    "workflow.ts",
    `import { silentLogger, systemClock } from "@keelson/base";
import { create, createKeyring, generateKey, openDatabase, pgliteDriver } from "@keelson/database";
import { definitions, startShipping } from "./shipping.ts";

const signal = AbortSignal.timeout(900_000);
await using database = await openDatabase({
  driver: pgliteDriver({ dataDir: undefined }),
  definitions,
  keyring: createKeyring({ current: "1", keys: { "1": generateKey() } }),
  logger: silentLogger,
  signal,
});
const step = (name: string) => async (id: string) => console.log(name, id);
const shop = { reserve: step("reserve"), charge: step("charge"), send: step("send") };
const workers = startShipping(database, shop, systemClock, silentLogger);
const { orders } = database.collections;
await database.commit("orders", [create(orders, { id: "1", partitionKey: "orders", state: "Open" })], { signal });
while ((await orders.find("orders", "1", signal))?.document.state !== "Done") await systemClock.sleep(10, signal);
await workers.drain(signal);
`,
  );
  assert.equal(stdout, "reserve 1\ncharge 1\nsend 1\n");
  await typeCheck(project, ["workflow.ts"]);
});

/** Type-checks modules of a project. */
async function typeCheck(project: string, files: readonly string[]): Promise<void> {
  const compilerOptions = {
    module: "nodenext",
    target: "esnext",
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    skipLibCheck: true,
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  await run(tsc, ["-p", "tsconfig.json"], { cwd: project });
}

test("a strict compiler finds the types of the installed packages", async () => {
  for (const [name, readme] of [
    ["@keelson/apiserver", "simulators/apiserver/README.md"],
    ["@keelson/sim-azure", "simulators/azure/README.md"],
    ["@keelson/sim-openshift", "simulators/openshift/README.md"],
  ] as const) {
    const project = await installed(name);
    writeFileSync(join(project, "typed.ts"), example(readme));
    await typeCheck(project, ["typed.ts"]);
  }
  const project = await installed("@keelson/apiserver");
  const wrong = `import { startApiServer } from "@keelson/apiserver";\nawait startApiServer({ host: 1 });\n`;
  writeFileSync(join(project, "wrong.ts"), wrong);
  await assert.rejects(typeCheck(project, ["wrong.ts"]), /TS2322|TS2345|exited|failed/);
});
