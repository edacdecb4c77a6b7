import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readManifests } from "./read-manifests.ts";

const directory = mkdtempSync(join(tmpdir(), "manifests-"));
after(() => rmSync(directory, { recursive: true }));
const values = {
  component: "example",
  images: { "operator:latest": "registry.example.com/operator@sha256:1" },
  version: "4.19.1",
  kubernetesVersion: "1.32.9",
};

test("manifests are read in the order of their files, with image and versions of the release", () => {
  writeFileSync(
    join(directory, "06-b.yaml"),
    `apiVersion: apps/v1
kind: Deployment
metadata: { name: b }
spec: { replicas: 1, image: "operator:latest", other: "operator:latest-b" }
---
apiVersion: config.openshift.io/v1
kind: ClusterOperator
metadata: { name: c }
status: { versions: [0.0.1-snapshot, kube-0.0.1-snapshot-kubernetes] }
`,
  );
  writeFileSync(
    join(directory, "0000_10_a.yaml"),
    "apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n",
  );
  writeFileSync(join(directory, "image-references"), "not a manifest");
  const manifests = readManifests(directory, values);
  assert.deepEqual(
    manifests.map(({ file, object }) => [file, object.metadata.name]),
    [
      ["0000_10_a.yaml", "a"],
      ["0000_50_example_06-b.yaml", "b"],
      ["0000_50_example_06-b.yaml", "c"],
    ],
  );
  assert.deepEqual(manifests[1]?.object.spec, {
    replicas: 1,
    image: "registry.example.com/operator@sha256:1",
    other: "operator:latest-b",
  });
  assert.deepEqual(manifests[2]?.object.status, { versions: ["4.19.1", "kube-1.32.9"] });
});

for (const { name, text } of [
  { name: "is no YAML", text: "a: [" },
  { name: "is not an object", text: "kind: Namespace\n" },
])
  test(`a file that ${name} is named`, () => {
    const file = join(directory, "0000_99_wrong.yaml");
    writeFileSync(file, text);
    assert.throws(() => readManifests(directory, values), /0000_99_wrong\.yaml: /);
    rmSync(file);
  });
