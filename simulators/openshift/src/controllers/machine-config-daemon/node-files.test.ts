import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { mkdir, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { applyFiles } from "./node-files.ts";

const rendered = (files: readonly object[]): KubeObject => ({
  apiVersion: "machineconfiguration.openshift.io/v1",
  kind: "MachineConfig",
  metadata: { name: "rendered-worker-1" },
  spec: { config: { storage: { files } } },
});

const file = (path: string, source: string, mode = 420) => ({ path, mode, contents: { source } });

test("a node's files follow its configuration", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "node-files-"));
  const read = (path: string) => readFileSync(join(directory.path, path), "utf8");
  const first = rendered([
    file("/etc/a", "data:,one%20two"),
    file("/usr/local/bin/b", "data:;base64,IyEvYmluL3No", 484),
  ]);
  await applyFiles(directory.path, undefined, first);
  assert.equal(read("etc/a"), "one two");
  assert.equal(read("usr/local/bin/b"), "#!/bin/sh");
  assert.equal(statSync(join(directory.path, "usr/local/bin/b")).mode & 0o777, 0o744);
  await applyFiles(directory.path, first, rendered([file("/etc/a", "data:,three")]));
  assert.equal(read("etc/a"), "three");
  assert.ok(!existsSync(join(directory.path, "usr/local/bin/b")));
});

test("paths and links cannot escape a node's directory", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "node-files-"));
  const node = join(directory.path, "node");
  const outside = join(directory.path, "outside");
  await Promise.all([mkdir(node), mkdir(outside)]);
  symlinkSync(outside, join(node, "link"));
  await applyFiles(
    node,
    undefined,
    rendered([file("/../escaped", "data:,x"), file("/link/escaped", "data:,x")]),
  );
  assert.ok(!existsSync(join(directory.path, "escaped")));
  assert.ok(!existsSync(join(outside, "escaped")));
  assert.ok(existsSync(join(node, "escaped")));
});
