import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { Program, StateDirectory } from "./support/program.ts";

for (const [name, args, message] of [
  ["an image without a program", ["--run-image", "tool"], /expected PREFIX=COMMAND/],
  [
    "a relative program",
    ["--run-image", "tool=bin/tool"],
    /expected an absolute path after =, not "bin\/tool"/,
  ],
  ["an image of releases", ["--run-image", "quay.io=/bin/sh"], /images of OpenShift releases/],
  ["a controller without a kind", ["--run-image-for", "default/name"], /expected NAMESPACE\/KIND\/NAME/],
] as const)
  test(`keelson up exits with 2 before anything starts for ${name}`, async () => {
    using state = new StateDirectory();
    const path = state.file("new");
    const { code, stderr } = await Program.run("up", "--state", path, "--ports", "auto", ...args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
    assert.ok(!existsSync(path));
  });
