import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { relative } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Returns the files that a new process loads for a module, relative to the repository. */
async function loadedFiles(module: string): Promise<readonly string[]> {
  const script = `
    import { registerHooks } from "node:module";
    const urls = [];
    registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
    await import(${JSON.stringify(new URL(module, import.meta.url).href)});
    process.stdout.write(JSON.stringify(urls), () => process.exit());
  `;
  const flags = ["--disable-warning=ExperimentalWarning", "--input-type=module"];
  const options = { maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, "-e", script], options);
  const urls: readonly string[] = JSON.parse(stdout);
  return urls.filter((url) => url.startsWith("file:")).map((url) => relative(root, fileURLToPath(url)));
}

const pglite = "node_modules/@electric-sql/pglite/";
const [azure, clusters, apiServer] = ["azure", "openshift", "apiserver"].map(
  (name) => `simulators/${name}/src/index.ts`,
);
const runtime = ["libraries/controller/", "libraries/kube/"];

/**
 * Modules that the component does not need. The source and compiled code of a loaded module occupy memory until the process
 * exits.
 */
const unneeded = [
  { module: "./commands/up.ts", paths: [...runtime, pglite] },
  { module: "./world/start-supervisor.ts", paths: [...runtime, azure, clusters, "services/"] },
  { module: "./world/components/azure.ts", paths: [clusters, apiServer, "services/", pglite] },
  { module: "./world/components/clusters.ts", paths: [azure, "services/", pglite] },
  { module: "./world/components/service.ts", paths: [azure, clusters, apiServer, pglite] },
  {
    module: "../../../simulators/openshift/src/installer/simulated-installer.ts",
    paths: [clusters, apiServer, pglite],
  },
];

for (const { module, paths } of unneeded)
  test(`${module} loads no module of ${paths.join(", ")}`, async () => {
    const files = await loadedFiles(module);
    assert.ok(files.length > 20, `${files.length} files`);
    assert.deepEqual(
      files.filter((file) => paths.some((path) => file.startsWith(`${path}`))),
      [],
    );
  });
