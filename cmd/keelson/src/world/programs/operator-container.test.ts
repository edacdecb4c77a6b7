import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";

const program = new URL("operator-container.ts", import.meta.url);
const flags = [
  "revision=1",
  "namespace=n",
  "pod=p",
  "resource-dir=/r",
  "pod-manifest-dir=/m",
  "configmaps=c",
];
const installer = ["kube-apiserver-operator", "installer", ...flags.map((flag) => `--${flag}`)];

/** Runs a container program with an environment that is passed as data. Returns its output after the exit. */
async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  ofProcess: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: unknown; readonly output: string }> {
  await using directory = await mkdtempDisposable(join(tmpdir(), "operator-container-"));
  const kubeconfig = join(directory.path, "kubeconfig");
  const server = "https://localhost:1/clusters/demo";
  await writeFile(kubeconfig, JSON.stringify({ clusters: [{ cluster: { server } }] }));
  const child = fork(program, args, {
    env: { PATH: process.env.PATH, ...ofProcess },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const own = { KUBECONFIG: kubeconfig, KEELSON_ROOT: directory.path, KEELSON_SERVICE_ACCOUNT: "/none" };
  child.send({ environment: { ...environment, ...own } });
  const [code] = await once(child, "close");
  return { code, output };
}

test("a container's program reads variables of the container and not of its process", async () => {
  const absent = await run(installer, {}, { NODE_NAME: "process" });
  assert.equal(absent.code, 1);
  assert.match(absent.output, /NODE_NAME is required/);
  const given = await run(installer, { NODE_NAME: "node" });
  // The error proves that the program has read its environment, which names this service account path.
  assert.match(given.output, /the service account's \/none\/ca\.crt cannot be read/);
});

test("defaults of flags are variables of the container", async () => {
  const absent = await run(["samples-operator"], {});
  assert.match(absent.output, /required option '--release <version>' not specified/);
  const given = await run(["samples-operator"], { RELEASE_VERSION: "4.19.1" });
  assert.match(given.output, /the service account's \/none\/ca\.crt cannot be read/);
});

test("hostile variables of a container change nothing in its process", async () => {
  const { output } = await run(installer, {
    NODE_NAME: "node",
    NODE_OPTIONS: "--import=data:text/javascript,console.log('imported')",
    LD_PRELOAD: "/none.so",
    NODE_DEBUG: "module",
  });
  assert.match(output, /the service account's \/none\/ca\.crt cannot be read/);
  assert.doesNotMatch(output, /imported|none\.so|MODULE/);
});
