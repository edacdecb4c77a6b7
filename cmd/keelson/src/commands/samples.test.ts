import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { stringAt } from "@keelson/base";

const main = join(import.meta.dirname, "..", "main.ts");
const library = join(import.meta.dirname, "../../../../operators/samples/library");

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function samples(...args: readonly string[]): Promise<Outcome> {
  const flags = ["--disable-warning=ExperimentalWarning", main, "samples", ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, flags, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });
}

test("samples that are built pass the check; a wrong file fails it, a warning does not", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-samples-"));
  const synced = await samples(
    "sync",
    "--from",
    library,
    "--arch",
    "x86_64",
    "--to",
    directory.path,
    "-o",
    "json",
  );
  assert.deepEqual([synced.code, synced.stderr], [0, ""]);
  assert.equal(stringAt(JSON.parse(synced.stdout)[0], "architecture"), "x86_64");
  const write = (path: string, value: object) => {
    const file = join(directory.path, "x86_64", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(value));
  };
  const tag = (name: string) => ({ name: "1", from: { kind: "ImageStreamTag", name } });
  write("a/imagestreams/a.json", {
    kind: "ImageStream",
    metadata: { name: "a" },
    spec: { tags: [tag("nodejs:1")] },
  });
  const warned = await samples("verify", directory.path);
  assert.deepEqual([warned.code, warned.stderr], [0, ""]);
  assert.match(
    warned.stdout,
    /^warning: .*: imagestream a: the catalogue has no tag nodejs:1, which a:1 means$/m,
  );
  write("b/templates/b.json", { kind: "Template" });
  const wrong = await samples("verify", directory.path, "-o", "json");
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /^keelson: 1 of the samples is invalid and was skipped$/m);
  assert.deepEqual(
    JSON.parse(wrong.stdout)[0].problems.map((each: object) => stringAt(each, "file")),
    ["b/templates/b.json", "imagestream a"],
  );
});

test("verify exits with 0 for the built-in catalogues, 1 for unreadable ones and 2 for invalid arguments", async () => {
  const [shipped, missing, usage, architecture] = await Promise.all([
    samples("verify"),
    samples("verify", "/nowhere"),
    samples("sync"),
    samples("sync", "--from", library, "--arch", "sparc"),
  ]);
  assert.deepEqual([shipped.code, missing.code, usage.code, architecture.code], [0, 1, 2, 2]);
  assert.match(missing.stderr, /^keelson: \/nowhere cannot be read: /);
  assert.match(
    shipped.stdout,
    /^IMAGESTREAMS {2}TAGS {2}TEMPLATES {2}DIRECTORY\n(?:\d+ +\d+ +\d+ +\/.*\n){4}$/,
  );
});
