import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { buildImagesIfPossible } from "./build-images.ts";

test("a base image that cannot be pulled is reported with buildah's reason, without incomplete archives", () => {
  using work = mkdtempDisposableSync(join(tmpdir(), "keelson-build-images-"));
  const program =
    "#!/bin/sh\necho 'Trying to pull' >&2\necho 'Error: pinging registry: no such host' >&2\nexit 125\n";
  writeFileSync(join(work.path, "buildah"), program, { mode: 0o755 });
  const directory = join(work.path, "release");
  mkdirSync(directory);
  writeFileSync(join(directory, "keelson-1.2.3.oci.tar"), "incomplete");
  const { PATH } = process.env;
  process.env.PATH = `${work.path}${delimiter}${PATH}`;
  try {
    const outcome = buildImagesIfPossible({
      sources: work.path,
      directory,
      version: "1.2.3",
      commit: "0".repeat(40),
      baseImage: "docker.io/library/node:24",
    });
    assert.deepEqual(outcome, { failure: "Error: pinging registry: no such host" });
    assert.deepEqual(readdirSync(directory), []);
  } finally {
    process.env.PATH = PATH;
  }
});
