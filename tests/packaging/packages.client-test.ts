/** Tests the published packages. Packs them, installs them in an empty project and runs the examples in their READMEs. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { packPublished } from "../../scripts/pack.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const directory = mkdtempSync(join(tmpdir(), "keelson-packages-"));
const project = join(directory, "project");
let archives: readonly string[] = [];

before(async () => {
  archives = packPublished(root, join(directory, "packed"));
  await run("mkdir", [project]);
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", private: true }));
  const options = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];
  await run("npm", ["install", ...options, ...archives], { cwd: project });
});
after(() => rmSync(directory, { recursive: true }));

/** Returns the first TypeScript example of a README. */
function example(readme: string): string {
  const [, code] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, readme), "utf8")) ?? [];
  assert.ok(code, readme);
  return code;
}

/** Runs a module in the project. The project contains no source code of this repository. */
async function runModule(name: string, code: string): Promise<string> {
  writeFileSync(join(project, name), code);
  const { stdout } = await run(process.execPath, [name], { cwd: project, timeout: 900_000 });
  return stdout;
}

test("the archives contain the build output, without sources and tests", () => {
  assert.deepEqual(
    archives.map((path) => basename(path).replace(/-\d.*/, "")),
    ["base", "http", "kube", "controller", "sim-store", "apiserver", "database", "workflow"].map(
      (each) => `keelson-${each}`,
    ),
  );
  const files = globSync("node_modules/@keelson/**/*.*", { cwd: project });
  assert.ok(files.length > 500, `${files.length}`);
  assert.deepEqual(
    files.filter((path) => /(?<!\.d)\.ts$|\.test\.|\/testing\//.test(path)),
    [],
  );
  assert.ok(files.includes("node_modules/@keelson/database/sql/000001.sql"));
  const part = "node_modules/@keelson/apiserver/node_modules/@keelson/cel/dist/index.js";
  assert.ok(files.includes(part), "the archive of the API server contains its private parts");
  for (const path of globSync("node_modules/@keelson/*", { cwd: project }))
    assert.ok(globSync(`${path}/{README.md,LICENSE}`, { cwd: project }).length === 2, path);
});

test("the API server's example runs in an empty project", async () => {
  const stdout = await runModule("apiserver.ts", example("simulators/apiserver/README.md"));
  assert.match(stdout, /^https:\/\/localhost:\d+\S* 1\n$/);
});

test("the API server stores objects in a file, in a separate thread for SQLite", async () => {
  const code = example("simulators/apiserver/README.md").replace(
    '{ kind: "memory" }',
    `{ kind: "file", path: ${JSON.stringify(join(project, "clusters.db"))} }`,
  );
  assert.match(await runModule("file.ts", code), / 1\n$/);
  assert.ok(readFileSync(join(project, "clusters.db")).length > 0);
});

test("the workflow's example runs in an empty project, on a separate database", async () => {
  writeFileSync(join(project, "shipping.ts"), example("libraries/workflow/README.md"));
  const stdout = await runModule(
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
});

test("a strict compiler finds the types of both", async () => {
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
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["apiserver.ts", "workflow.ts"] }),
  );
  const tsc = join(root, "node_modules/.bin/tsc");
  await run(tsc, ["-p", "tsconfig.json"], { cwd: project });
  const wrong = `import { startApiServer } from "@keelson/apiserver";\nawait startApiServer({ host: 1 });\n`;
  writeFileSync(join(project, "apiserver.ts"), wrong);
  await assert.rejects(run(tsc, ["-p", "tsconfig.json"], { cwd: project }), /TS2322|TS2345|exited|failed/);
});
