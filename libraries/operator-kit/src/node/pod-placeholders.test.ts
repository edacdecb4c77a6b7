import assert from "node:assert/strict";
import { test } from "node:test";
import { podWithValues } from "./pod-placeholders.ts";

const values = { revision: 7, node: "master-0.example" };

test("placeholders are replaced in all strings and only there", () => {
  const pod = podWithValues(
    `
kind: Pod
metadata:
  name: kube-apiserver
  labels: { revision: "REVISION" }
spec:
  volumes:
  - hostPath: { path: /etc/kubernetes/static-pod-resources/kube-apiserver-pod-REVISION }
  containers:
  - args: ["--revision=REVISION --node=NODE_NAME", "--self=$(NODE_NAME)", "$\{REVISION}", PREREVISIONS]
    env:
    - { name: NODE_NAME, value: NODE_NAME }
    - { name: NODE_NODE_ENVVAR_NAME_IP, value: "x" }
`,
    values,
  );
  assert.deepEqual(pod, {
    kind: "Pod",
    metadata: { name: "kube-apiserver", labels: { revision: "7" } },
    spec: {
      volumes: [{ hostPath: { path: "/etc/kubernetes/static-pod-resources/kube-apiserver-pod-7" } }],
      containers: [
        {
          args: [
            "--revision=7 --node=master-0.example",
            "--self=$(NODE_NAME)",
            "$" + "{REVISION}",
            "PREREVISIONS",
          ],
          env: [
            { name: "NODE_NAME", value: "master-0.example" },
            { name: "NODE_master_0_example_IP", value: "x" },
          ],
        },
      ],
    },
  });
});

test("what is no Pod is refused", () => {
  assert.throws(() => podWithValues("a: [", values), /no YAML/);
  for (const text of ["", "[]", "kind: ConfigMap", "text"])
    assert.throws(() => podWithValues(text, values), /no Pod/);
});
