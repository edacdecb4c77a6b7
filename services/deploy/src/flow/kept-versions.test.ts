import assert from "node:assert/strict";
import { test } from "node:test";
import { versionsTag, withKeptVersions } from "./kept-versions.ts";

const portal = { sessionKeyVersions: ["s1", "s2"], sshKeyVersion: "h", sshHostKey: "key" };
const old = { skipTokenVersion: "k1", portal };
const renewed = { skipTokenVersion: "k2", portal: { ...portal, sessionKeyVersions: ["s2", "s3", "s1"] } };

test("a set keeps the versions that it was created with", () => {
  assert.deepEqual(withKeptVersions(renewed, versionsTag(old)), old);
  assert.deepEqual(withKeptVersions({ skipTokenVersion: "k2" }, "k1"), { skipTokenVersion: "k1" });
});

test("a portal that is added to a set uses the newest versions, like a set without a tag", () => {
  assert.deepEqual(withKeptVersions(renewed, "k1"), { ...renewed, skipTokenVersion: "k1" });
  for (const tag of [undefined, "", "k1:", "k 1", ":s1"])
    assert.deepEqual(withKeptVersions(renewed, tag), renewed);
});

test("a tag has less than the 256 characters of Azure", () => {
  const version = "0123456789abcdef0123456789abcdef";
  const longest = {
    skipTokenVersion: version,
    portal: { ...portal, sessionKeyVersions: [version, version, version] },
  };
  assert.ok(versionsTag(longest).length <= 256);
});
