import assert from "node:assert/strict";
import { test } from "node:test";
import { imageVersion, versionLabel, withImageVersion } from "./image-version.ts";

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
const label = /^[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?$/;

const cases = [
  { image: "arosvc.azurecr.io/aro:abc123", version: "abc123", label: "abc123" },
  { image: "keelson", version: "latest", label: "latest" },
  { image: "localhost:5000/keelson", version: "latest", label: "latest" },
  { image: "localhost:5000/keelson:v1.2", version: "v1.2", label: "v1.2" },
  { image: `arosvc.azurecr.io/aro@${digest}`, version: digest, label: `sha256-${digest.slice(7, 63)}` },
  { image: `arosvc.azurecr.io/aro:v1@${digest}`, version: digest, label: `sha256-${digest.slice(7, 63)}` },
  { image: "keelson:_odd.", version: "_odd.", label: "odd" },
  { image: `keelson:${"a".repeat(128)}`, version: "a".repeat(128), label: "a".repeat(63) },
];
for (const each of cases) {
  test(`the version of ${each.image}`, () => {
    assert.equal(imageVersion(each.image), each.version);
    assert.equal(versionLabel(each.image), each.label);
    assert.match(versionLabel(each.image), label);
  });
}

test("an image with a different version keeps its registry", () => {
  assert.equal(withImageVersion("localhost:5000/aro:v1", "v2"), "localhost:5000/aro:v2");
  assert.equal(withImageVersion("localhost:5000/aro", "v2"), "localhost:5000/aro:v2");
  assert.equal(withImageVersion(`arosvc.io/aro@${digest}`, "v2"), "arosvc.io/aro:v2");
  assert.equal(withImageVersion("arosvc.io/aro:v1", digest), `arosvc.io/aro@${digest}`);
});
