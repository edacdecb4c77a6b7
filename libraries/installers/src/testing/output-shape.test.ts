import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { preparedCluster } from "@keelson/model/testing";
import { installerDocuments } from "../install/installer-documents.ts";
import { openGraph } from "../install/sealed-graph.ts";
import { generatedAssets } from "./asset-graph.ts";
import { machineKey } from "./machine-key.ts";
import { offlineContext } from "./offline-context.ts";
import { keyPathsOf, type OutputShape, shapeOf } from "./output-shape.ts";
import { graphKey } from "./sealed-graph.ts";

const root = mkdtempSync(join(tmpdir(), "keelson-shape-"));
after(() => rmSync(root, { recursive: true }));

const double = new URL("aro-installer-double.ts", import.meta.url).pathname;
const golden: OutputShape = JSON.parse(
  readFileSync(new URL("golden/aro-installer.json", import.meta.url), "utf8"),
);

test("the double of ARO's installer writes the same files, blobs, keys and modes as the program", async () => {
  const shape = await shapeOfDouble();
  // The README of libraries/installers lists the known differences.
  assert.deepEqual({ ...shape, bootstrapFiles: [] }, { ...golden, bootstrapFiles: [] });
  const differences = shape.bootstrapFiles.filter((each) => !golden.bootstrapFiles.includes(each));
  assert.deepEqual(differences, []);
  assert.ok(shape.bootstrapFiles.includes("644 /opt/openshift/manifests/cluster-config-samples.yaml"));
});

test("keys have the order of their document, and elements of a list share theirs", () => {
  const value = { b: { y: 1, x: [{ p: 1 }, { q: [], p: 2 }] }, a: null };
  assert.deepEqual(keyPathsOf(value), ["b", "b.y", "b.x", "b.x[].p", "b.x[].q", "a"]);
});

async function shapeOfDouble(): Promise<OutputShape> {
  const context = offlineContext({
    cluster: preparedCluster(machineKey()),
    signal: AbortSignal.timeout(900_000),
  });
  const write = (path: string, content: string) => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [name, content] of Object.entries(installerDocuments(context)))
    write(`.azure/${name}`, content.reveal());
  write("manifests/cluster-config-samples.yaml", "kind: Config\n");
  write("assets.json", JSON.stringify(await generatedAssets()));
  const directory = join(root, "output");
  mkdirSync(directory);
  const blobs = join(root, "blobs");
  const variables = ["AZURE_FP_CLIENT_ID", "DOMAIN_NAME", "KEYVAULT_PREFIX", "UUID"];
  const production = [
    ...["CLUSTER_MDSD_ACCOUNT", "CLUSTER_MDSD_CONFIG_VERSION", "CLUSTER_MDSD_NAMESPACE", "MDSD_ENVIRONMENT"],
    ...["GATEWAY_DOMAINS", "GATEWAY_RESOURCEGROUP", "ACR_RESOURCE_ID"],
  ];
  const env = {
    ...Object.fromEntries([...variables, ...production].map((name) => [`ARO_${name}`, "eastus.example.org"])),
    ARO_PULL_SECRET: '{"auths":{"registry.example":{"auth":"eA=="}}}',
    ARO_DOUBLE: JSON.stringify({ assetsFile: join(root, "assets.json"), blobs }),
    OPENSHIFT_INSTALL_INVOKER: "hive",
    OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE: "quay.io/openshift-release-dev/ocp-release:4.19.24-x86_64",
  };
  // The golden file was recorded with this umask.
  const script = 'umask 022; exec "$@"';
  const command = [process.execPath, "--disable-warning=ExperimentalWarning", double, "create", "manifests"];
  const { status, stderr } = spawnSync("/bin/sh", ["-c", script, "sh", ...command], {
    cwd: directory,
    env,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  const names = readdirSync(blobs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(blobs.length + 1));
  const graph = openGraph(readFileSync(join(blobs, "aro", "graph")), graphKey);
  return shapeOf({ directory, graph, blobs: names });
}
