/**
 * Runs the shell blocks of package READMEs and documents unchanged, on one instance with its demo cluster. Blocks that do not run
 * here are listed with the test that runs them or the reason for their exclusion.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { ArmClient } from "../e2e/support/arm-client.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");

/**
 * Blocks that this test does not run, by document and number. The value names the test that runs the block, or the reason why no
 * test can run it.
 */
const elsewhere: Readonly<Record<string, string>> = {
  "api/README.md 1": "rewrites sources; a test compares them with what is generated",
  "clients/az-extension/README.md 1": "tests/python/extension.client-test.ts",
  "cmd/keelson/README.md 1": "tests/packaging/stranger.ts starts and stops it in the same way",
  "docs/admin-actions.md 2": "needs a sign-in in a browser: tests/e2e/up-with-operators.test.ts",
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, at) => [
      `docs/arm-api.md ${at + 1}`,
      "tests/e2e/document-commands.client-test.ts",
    ]),
  ),
  "docs/azure-clients.md 1": "names a kubeconfig of an installer: tests/e2e/walkthrough.test.ts",
  "docs/azure-clients.md 2": "tests/e2e/document-commands.client-test.ts",
  ...Object.fromEntries(
    Array.from({ length: 3 }, (_, at) => [
      `docs/azure-clients.md ${at + 3}`,
      "needs Terraform and its providers: simulators/azure/src/recorded-clients.test.ts",
    ]),
  ),
  "docs/azure-clients.md 6": "needs Azure Service Operator: simulators/azure/src/recorded-clients.test.ts",
  "docs/database.md 1": "tests/e2e/service-processes.test.ts",
  "docs/database.md 2": "requires an account of Cosmos DB in Azure",
  ...Object.fromEntries(
    Array.from({ length: 4 }, (_, at) => [
      `docs/deploy.md ${at + 1}`,
      "tests/documentation/simulated-region.client-test.ts",
    ]),
  ),
  "docs/dev-image.md 1": "tests/packaging/dev-image.long-test.ts",
  "docs/dev-image.md 2": "tests/packaging/dev-image.long-test.ts runs the commands of deploy/compose.yaml",
  "docs/get-started.md 1": "tests/packaging/stranger.ts",
  "docs/howto/add-an-install-step.md 1": "runs tests",
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [
      `docs/howto/operate-postgresql.md ${at + 1}`,
      "tests/documentation/operate-postgresql.client-test.ts",
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({ "run-three-replicas": 5, "monitor-the-service": 4 }).flatMap(([page, length]) =>
      Array.from({ length }, (_, at) => [
        `docs/howto/${page}.md ${at + 1}`,
        "tests/documentation/run-three-replicas.client-test.ts",
      ]),
    ),
  ),
  ...Object.fromEntries(
    Array.from({ length: 6 }, (_, at) => [
      `docs/howto/test-with-keelson.md ${at + 1}`,
      "tests/packaging/howto-examples.long-test.ts",
    ]),
  ),
  "docs/installers.md 1": "needs a released openshift-install",
  "docs/installers.md 2": "needs ARO's installer: tests/installers",
  "docs/installers.md 3": "needs ARO's installer and a network namespace: tests/installers",
  "docs/installers.md 4": "tests/e2e/hive.test.ts",
  "docs/installers.md 5": "needs Hive's controllers: tests/installers",
  "docs/installers.md 6": "tests/e2e/run-image.test.ts",
  "docs/managed-identities.md 1": "tests/e2e/document-commands.client-test.ts",
  "docs/managed-identities.md 2": "tests/e2e/document-commands.client-test.ts",
  "docs/observability.md 1": "cmd/keelson/src/support/create-bundle.test.ts",
  "docs/observability.md 2": "cmd/keelson/src/metrics/print-statsd.test.ts",
  "docs/portal.md 1": "needs a browser's cookie: tests/e2e/up-with-operators.test.ts",
  "docs/rotation.md 1": "tests/e2e/service-processes.test.ts",
  "tests/alerts/README.md 1": "takes a quarter of an hour; make test-all",
  "tests/busy/README.md 1": "takes 15 minutes of both cores",
  "tests/chaos/README.md 1": "make chaos",
  "tests/crashes/README.md 1": "takes an hour; tests/chaos/components-crash.long-test.ts",
  "tests/conformance/README.md 1": "needs documents that others published",
  "tests/drills/README.md 1": "takes an hour and needs root",
  "tests/installers/README.md 1": "needs ARO's installer and Hive",
  "tests/operator-suites/README.md 1": "needs upstream suites",
  "tests/operator-suites/README.md 2":
    "prepares an upstream suite; the samples operator's README has the same command",
  "tests/soak/README.md 1": "takes hours",
};

interface Run {
  /** Output after which the test stops a command that does not exit by itself. */
  readonly endAfter?: RegExp;
  /** Expected output. */
  readonly prints: readonly RegExp[];
}

/** Commands in execution order with their expected output. */
const runs: Readonly<Record<string, Run>> = {
  "docs/admin-actions.md 1": { prints: [/"kind": ?"Node"/, /^hi$/m] },
  "docs/admin-actions.md 3": { prints: [/cluster patched/] },
  "docs/configuration.md 1": { prints: [/service\.json is valid/] },
  "docs/gateway.md 1": { prints: [] },
  "docs/gateway.md 2": { endAfter: /"port":/, prints: [/"port":\d+/] },
  "docs/portal.md 2": { prints: [/master-0 +Ready/] },
  "operators/samples/README.md 1": { prints: [/config\.samples\.operator\.openshift\.io\/cluster patched/] },
  "operators/samples/README.md 2": { prints: [/./] },
  "services/frontend/README.md 1": {
    prints: [/"version": ?"4\.\d+\.\d+"/, /"provisioningState": ?"\w*Updating"/],
  },
};

/**
 * Returns the blocks of package READMEs and documents. Excludes the root README because
 * tests/e2e/document-commands.client-test.ts and tests/packaging/stranger.ts run the blocks of that README.
 */
function blocks(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const path of globSync(
    ["{api,cmd,services,operators,libraries,simulators,clients,tests}/**/README.md", "docs/**/*.md"],
    {
      cwd: root,
      exclude: ["**/node_modules"],
    },
  )) {
    const texts = readFileSync(join(root, path), "utf8").matchAll(
      /^ *```(?:sh|console)\n([\s\S]*?)^ *```$/gm,
    );
    for (const [at, [, block = ""]] of [...texts].entries()) found.set(`${path} ${at + 1}`, block);
  }
  return found;
}

test("each shell block runs here, or is listed with its test", () => {
  const named = [...Object.keys(runs), ...Object.keys(elsewhere)].toSorted();
  assert.deepEqual([...blocks().keys()].toSorted(), named);
});

describe("as they stand", { timeout: 900_000 }, () => {
  const stack = new AsyncDisposableStack();
  const state = stack.use(new StateDirectory());
  const directory = state.file("reader");
  const environment: NodeJS.ProcessEnv = { ...process.env };
  let client: ArmClient;
  let pod = "";

  before(async () => {
    // Creates a directory in which the commands can write files. It contains links to the files of the checkout.
    mkdirSync(join(directory, "operators/samples"), { recursive: true });
    symlinkSync(join(root, "operators/samples/library"), join(directory, "operators/samples/library"));
    writeFileSync(
      join(directory, "keelson"),
      `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${root}/cmd/keelson/src/main.ts' "$@"\n`,
      { mode: 0o755 },
    );
    await stack.use(Program.start("up", "--state", state.path, "--ports", "auto")).says(/endpoints/);
    copyFileSync(state.file("service.json"), join(directory, "service.json"));
    client = stack.use(new ArmClient(state.file("endpoints.json")));
    const { stdout } = await Program.run("kubeconfig", "demo", "--state", state.path);
    const kubeconfig = join(directory, "demo.kubeconfig");
    writeFileSync(kubeconfig, stdout, { mode: 0o600 });
    Object.assign(environment, {
      // Uses the newest kubectl because bookworm's kubectl lacks --subresource.
      PATH: `${directory}:${join(root, ".tools/clients/sid/usr/bin")}:${process.env.PATH}`,
      KUBECONFIG: kubeconfig,
      AZURE_SUBSCRIPTION_ID: client.subscriptionId,
      CLUSTER: "demo",
      CLUSTER_ID: client.cluster("demo"),
    });
    const pods = await run("kubectl", ["-n", "openshift-etcd", "get", "pods", "-o", "name"], {
      env: environment,
    });
    pod = /pod\/(etcd-demo-\w+-master-0)$/m.exec(pods.stdout)?.[1] ?? "";
  });
  after(() => stack.disposeAsync());

  for (const [name, { prints, endAfter }] of Object.entries(runs))
    test(name, async () => {
      const script = (blocks().get(name) ?? "")
        .replaceAll("https://localhost:8443", client.rp)
        // Pod names of masters contain the cluster's infrastructure ID, which has a random suffix.
        .replaceAll(/etcd-demo-\w+-master-0/g, pod);
      const output = await shell(script, endAfter);
      for (const each of prints) assert.match(output, each);
    });

  async function shell(script: string, endAfter: RegExp | undefined): Promise<string> {
    const args = [
      "-euo",
      "pipefail",
      "-c",
      endAfter ? `exec ${script.trim()} --port 0 --health-port 0` : script,
    ];
    const running = run("bash", args, { cwd: directory, env: environment, timeout: 900_000 });
    if (!endAfter) return (await running).stdout;
    let output = "";
    const { child } = running;
    const ended = running.catch(() => undefined);
    const says = Promise.withResolvers<void>();
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (text) => {
        output += text;
        if (endAfter.test(output)) says.resolve();
      });
    await Promise.race([says.promise, ended]);
    child.kill("SIGTERM");
    await ended;
    return output;
  }
});
