import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { OpenApiDocument } from "@keelson/openapi";
import { adminRolesFile, withAdminRoles } from "./admin-roles.ts";
import { pictureFile, withArchitecturePicture } from "./architecture-picture.ts";
import { fingerprintFile, fingerprintOf } from "./fingerprint.ts";
import { generatedDirectories, generatedFiles } from "./generated-files.ts";

const root = join(import.meta.dirname, "../..");
const wayOut = "run make generate and commit what it changes";
const read = (file: string) => readFileSync(join(root, file), "utf8");

test("the committed documents are those of the TypeSpec in api/", () => {
  assert.deepEqual(JSON.parse(read(fingerprintFile)), { ...fingerprintOf(root) }, wayOut);
});

test("examples and clients are those of the committed documents and of the model", () => {
  const documents = globSync("swagger/**/redhatopenshift.json", { cwd: root }).map(
    (file): OpenApiDocument => JSON.parse(read(file)),
  );
  const files = generatedFiles(documents);
  const stale = [...files].filter(
    ([file, content]) => !globSync(file, { cwd: root }).length || read(file) !== content,
  );
  assert.deepEqual(
    stale.map(([file]) => file),
    [],
    wayOut,
  );
  const there = globSync(`{${generatedDirectories.join(",")}}/**/*.{json,py,ts}`, { cwd: root });
  assert.deepEqual(
    there.filter((file) => !files.has(file)),
    [],
    wayOut,
  );
});

test("the picture of the architecture is that of the import rules", () => {
  assert.equal(read(pictureFile), withArchitecturePicture(read(pictureFile)), wayOut);
  assert.equal(read(adminRolesFile), withAdminRoles(read(adminRolesFile)), wayOut);
});
