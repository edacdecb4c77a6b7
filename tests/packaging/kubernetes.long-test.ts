/**
 * Tests the kustomize base in deploy/kubernetes with kubectl and a simulated cluster. The cluster's pods run `keelson rp` of the
 * checkout.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { startPostgres } from "@keelson/database/testing";
import { eventually } from "../e2e/support/eventually.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const base = join(root, "deploy/kubernetes");
const image = "registry.example/keelson";
// Debian bookworm's kubectl lacks options of the documented commands.
const newKubectl = join(root, ".tools/clients/sid/usr/bin/kubectl");
const kubectlProgram = existsSync(newKubectl) ? newKubectl : "kubectl";
// The test is skipped without Linux or root, because pods with programs of images need Linux namespaces.
const skip = existsSync("/proc/self/ns/mnt") && process.getuid?.() === 0 ? false : "needs Linux and root";

describe("the kustomize base", { timeout: 900_000, skip }, () => {
  const stack = new AsyncDisposableStack();
  const state = stack.use(new StateDirectory());
  const kubeconfig = state.file("admin.kubeconfig");
  const kubectl = async (...args: readonly string[]) =>
    (await run(kubectlProgram, ["--kubeconfig", kubeconfig, "--cache-dir", state.file("cache"), ...args]))
      .stdout;

  before(async () => {
    const postgres = stack.use(await startPostgres());
    const database = { kind: "postgres", url: await postgres.createDatabase() };
    const world = state.file("world");
    const up = stack.use(
      Program.start(
        "up",
        "--state",
        world,
        "--ports",
        "auto",
        "--run-image",
        `${image}=${join(root, "keelson")}`,
      ),
    );
    await up.says(/endpoints/);
    const { stdout } = await Program.run("kubeconfig", "demo", "--state", world);
    writeFileSync(kubeconfig, stdout, { mode: 0o600 });
    const overlay = state.file("overlay");
    mkdirSync(overlay);
    const paths: Readonly<Record<string, string>> = {
      "ca.pem": "/etc/keelson/authorities/postgres.pem",
      "tls.pem": "/etc/keelson/tls/tls.crt",
      "tls-key.pem": "/etc/keelson/tls/tls.key",
    };
    // Pods can access only their volumes and the checkout. All pods share the network addresses of this machine, so each pod
    // chooses free ports.
    const service: { readonly azure: { readonly armEndpoint: string } } = JSON.parse(
      readFileSync(join(world, "service.json"), "utf8"),
      (_, value: unknown) =>
        typeof value === "string" && value.startsWith(`${world}/`)
          ? (paths[value.slice(world.length + 1)] ??
            `/etc/keelson/configuration/${value.slice(world.length + 1)}`)
          : value,
    );
    // Uses the key vault because replicas cannot share the local issuer, which stores certificates in the directory of its key.
    const certificateIssuer = { kind: "keyVault", url: `${service.azure.armEndpoint}/vaults/certificates` };
    const own = { database, certificateIssuer, port: 0, metricsPort: 0, portal: undefined };
    const changed = { ...service, ...own };
    writeFileSync(join(overlay, "service.json"), JSON.stringify(changed));
    for (const [name, file] of Object.entries({
      "tls.crt": "tls.pem",
      "tls.key": "tls-key.pem",
      "portal.crt": "tls.pem",
      "portal.key": "tls-key.pem",
      "postgres.pem": "ca.pem",
      "callers.pem": "ca.pem",
    }))
      copyFileSync(join(world, file), join(overlay, name));
    const [, documented = ""] =
      /```yaml\n# overlay\/kustomization\.yaml\n([\s\S]*?)```/.exec(
        readFileSync(join(root, "docs/kubernetes.md"), "utf8"),
      ) ?? [];
    const kustomization = documented
      .replace(
        /resources: .*/,
        `resources: [${relative(overlay, base)}]\ncomponents: [${relative(overlay, base)}/openshift]`,
      )
      .replace(/newName: [^,]+/, `newName: ${image}`)
      .replace("service.json, keys.json, database-password", "service.json")
      // The simulated world's configuration has no portal in this test.
      .replace(", ssh-host-key, ssh-host-key.pub", "");
    writeFileSync(join(overlay, "kustomization.yaml"), kustomization);
  });
  after(() => stack.disposeAsync());

  test("the documented overlay builds, and the API server accepts every object in a dry run", async () => {
    const objects = await kubectl(
      "kustomize",
      "--load-restrictor=LoadRestrictionsNone",
      state.file("overlay"),
    );
    assert.doesNotMatch(objects, /image: keelson\b/);
    writeFileSync(state.file("objects.yaml"), objects);
    await kubectl("apply", "-f", join(base, "namespace.yaml"));
    await kubectl("create", "--dry-run=server", "--validate=strict", "-f", join(base, "migrate.yaml"));
    const applied = await kubectl(
      "apply",
      "--dry-run=server",
      "--validate=strict",
      "-f",
      state.file("objects.yaml"),
    );
    assert.equal(applied.trim().split("\n").length, objects.split(/^---$/m).length);
  });

  test("three replicas of the resource provider are scheduled on different nodes and run", async () => {
    await kubectl("apply", "-f", state.file("objects.yaml"));
    const selector = "app.kubernetes.io/name=keelson-rp";
    const pods = async () =>
      JSON.parse(await kubectl("-n", "keelson", "get", "pods", "-l", selector, "-o", "json")).items;
    await eventually(async () => {
      const found = await pods();
      assert.equal(found.length, 3);
      for (const { status, metadata } of found) {
        assert.equal(status.phase, "Running", JSON.stringify(status));
        const log = await kubectl("-n", "keelson", "logs", metadata.name);
        assert.match(log, /"rp":"https:\/\/[\w.]+:\d+"/);
      }
    });
    const nodes = new Set((await pods()).map(({ spec }: { spec: { nodeName: string } }) => spec.nodeName));
    assert.equal(nodes.size, 3);
    const budgets = JSON.parse(await kubectl("-n", "keelson", "get", "poddisruptionbudgets", "-o", "json"));
    assert.equal(budgets.items.length, 5);
  });
});
