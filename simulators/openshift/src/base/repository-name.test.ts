import assert from "node:assert/strict";
import { test } from "node:test";
import { repositoryName } from "./repository-name.ts";

test("the name of a repository excludes its registry, tag and digest", () => {
  const digest = `sha256:${"0".repeat(64)}`;
  for (const [image, name] of [
    ["tool", "tool"],
    ["tool:v1", "tool"],
    [`registry.example.com:5000/a/tool:v1@${digest}`, "tool"],
    [`registry.example.com:5000/a/tool@${digest}`, "tool"],
    ["registry.example.com:5000/a/", ""],
    ["", ""],
  ] as const)
    assert.equal(repositoryName(image), name, image);
});

test("an image with a million separators and a line break has a name", { timeout: 60_000 }, () => {
  assert.equal(repositoryName(`a${"@".repeat(1_000_000)}\n`), "a");
  assert.equal(repositoryName(`a${":".repeat(1_000_000)}\n`), "a");
});
