import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { findApiDocument } from "@keelson/openapi";

const main = join(import.meta.dirname, "..", "main.ts");
const folder = mkdtempSync(join(tmpdir(), "keelson-swagger-"));
after(() => rmSync(folder, { recursive: true }));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function swagger(...args: readonly string[]): Promise<Outcome> {
  const flags = ["--disable-warning=ExperimentalWarning", main, "swagger", ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, flags, { maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });
}

const version = "2023-11-22";
const ours = readFileSync(findApiDocument(version).file, "utf8");

/**
 * Creates a directory that contains this service's document with `change` applied. The document is reformatted, because a
 * publisher may use a different format.
 */
function published(name: string, change: (text: string) => string): string {
  const directory = join(folder, name, "stable", version);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "redhatopenshift.json"), change(ours));
  return join(folder, name);
}

test("all versions are listed, and each is printed", async () => {
  const [list, print] = await Promise.all([swagger("list", "-o", "json"), swagger("print", version)]);
  const versions: { version: string }[] = JSON.parse(list.stdout);
  assert.equal(versions.length, 12);
  assert.equal(versions[0]?.version, "2019-12-31-preview");
  assert.equal(versions[11]?.version, "admin");
  assert.equal(print.stdout, ours);
});

test("the exit code says whether something is missing or of another type", async () => {
  const same = published("same", (text) => text);
  const other = published("other", (text) =>
    text.replace('"vmSize"', '"size"').replace('"format": "int32"', '"format": "int64"'),
  );
  writeFileSync(join(other, "later.json"), ours.replaceAll(version, "2031-01-01"));
  const [equal, different] = await Promise.all([swagger("diff", same), swagger("diff", other, "-o", "json")]);
  assert.equal(equal.code, 0, equal.stderr);
  assert.match(equal.stdout, /^2023-11-22: 7 paths, 10 operations, .* 0 missing, 0 different\n/);
  assert.match(equal.stdout, /\nversions compared: 1; 0 missing, 0 different, 0 notes\n$/);
  assert.equal(different.code, 1);
  assert.match(different.stderr, /lack or contradict something published in 2023-11-22, 2031-01-01/);
  const [known, unknown] = JSON.parse(different.stdout);
  assert.match(known.missing[0].where, /masterProfile\.size$/);
  assert.match(known.different[0].what, /ours is integer \(int32\), theirs is integer \(int64\)/);
  assert.equal(unknown.missing.length, 7, "we lack every path of a version that we do not have");
});

test("one document can be named as well as its folder", async () => {
  const folder = published("file", (text) => text);
  const { code, stdout } = await swagger("diff", join(folder, "stable", version, "redhatopenshift.json"));
  assert.equal(code, 0);
  assert.match(stdout, /\nversions compared: 1; 0 missing/);
});

test("where nothing can be compared the exit code differs from that of documents that do", async () => {
  const one = published("one", (text) => text);
  const empty = mkdtempSync(join(folder, "empty-"));
  const broken = mkdtempSync(join(folder, "broken-"));
  writeFileSync(join(broken, "broken.json"), "{");
  const cases: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [
      [one, "--version", "2031-01-01"],
      /holds no OpenAPI 2 document of version 2031-01-01: there are 2023-11-22\n/,
    ],
    [[join(one, "missing")], /there is no file or folder .*missing\n/],
    [[empty], /holds no OpenAPI 2 document with paths: name the document/],
    [[broken], /broken\.json cannot be read/],
  ];
  const outcomes = await Promise.all(cases.map(([args]) => swagger("diff", ...args)));
  for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
    assert.deepEqual([code, stdout], [2, ""], stderr);
    assert.match(stderr, cases[index]?.[1] ?? /never/);
  }
});
