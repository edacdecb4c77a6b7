import assert from "node:assert/strict";
import { test } from "node:test";
import { ImageRegistry } from "@keelson/sim-openshift";
import { mapHostPrograms } from "./host-programs.ts";

const runImages = [
  { prefix: "registry.example", command: "/bin/short" },
  { prefix: "registry.example/team/tool", command: "/bin/long" },
];

test("the longest prefix decides, and other images have no program", () => {
  const images = new ImageRegistry();
  mapHostPrograms(images, { runImages, runImagesFor: [] });
  const commandOf = (image: string) => images.behaviourOf(image).hostProgram?.command;
  assert.equal(commandOf("registry.example/team/tool:v1"), "/bin/long");
  assert.equal(commandOf("registry.example/team/tools:v1"), "/bin/short");
  assert.equal(commandOf("registry.example.org/team/tool:v1"), undefined);
  assert.equal(images.behaviourOf("registry.example/x").hostProgram?.owners, undefined);
});

test("controllers are patterns of the allow list", () => {
  const images = new ImageRegistry();
  mapHostPrograms(images, { runImages, runImagesFor: [{ namespace: "aro-*", kind: "Job", name: "a.*-b" }] });
  const [owner] = images.behaviourOf("registry.example/x").hostProgram?.owners ?? [];
  const matches = (field: "namespace" | "kind" | "name", text: string) =>
    owner?.[field] instanceof RegExp && owner[field].test(text);
  assert.ok(matches("namespace", "aro-1") && matches("kind", "Job") && matches("name", "a.x-b"));
  assert.ok(!matches("namespace", "x-aro-1") && !matches("kind", "CronJob") && !matches("name", "abx-b"));
});
