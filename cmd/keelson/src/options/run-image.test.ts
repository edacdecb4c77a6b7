import assert from "node:assert/strict";
import { test } from "node:test";
import { InvalidArgumentError } from "commander";
import { parsePodController, parseRunImage } from "./run-image.ts";

test("a prefix and an absolute program are a mapping", () => {
  assert.deepEqual(parseRunImage("registry.example:5000/team/tool=/bin/sh", []), {
    prefix: "registry.example:5000/team/tool",
    command: "/bin/sh",
  });
  assert.deepEqual(parseRunImage("quay.io/team=/bin/sh", []).prefix, "quay.io/team");
});

for (const [text, message] of [
  ["tool", /expected PREFIX=COMMAND .*for example/],
  ["=/bin/sh", /expected PREFIX=COMMAND/],
  ["Tool=/bin/sh", /expected PREFIX=COMMAND/],
  ["tool=sh", /absolute path after =, not "sh"/],
  ["tool=", /absolute path after =/],
  ["tool=/nowhere/program", /\/nowhere\/program cannot be executed: ENOENT/],
  ["tool=/etc", /\/etc cannot be executed: it is not a file/],
  ["tool=/etc/passwd", /cannot be executed: EACCES/],
  ["other=/bin/sh", /"other" has two programs/],
  ["quay.io=/bin/sh", /images of OpenShift releases/],
  ["quay.io/openshift-release-dev=/bin/sh", /images of OpenShift releases/],
  ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:ab=/bin/sh", /images of OpenShift releases/],
  ["registry.example/openshift-release-dev/ocp-release=/bin/sh", /images of OpenShift releases/],
  ["keelson=/bin/sh", /of this program/],
  ["keelson:latest=/bin/sh", /of this program/],
] as const)
  test(`--run-image rejects ${text}`, () =>
    assert.throws(
      () => parseRunImage(text, [{ prefix: "other", command: "/bin/sh" }]),
      (error) => error instanceof InvalidArgumentError && message.test(error.message),
    ));

test("a controller has a namespace, a kind and a name", () => {
  assert.deepEqual(parsePodController("aro-*/Job/*-provision"), {
    namespace: "aro-*",
    kind: "Job",
    name: "*-provision",
  });
  for (const text of ["", "default", "default/Job", "default/Job/a/b", "Default/Job/a", "a/Job/$", "a//b"])
    assert.throws(() => parsePodController(text), InvalidArgumentError, text);
});
