import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { developmentImageFiles, imageFiles } from "./image-files.ts";
import { importStatements } from "./import-statements.ts";
import { workspacePackages } from "./workspace/packages.ts";

const root = resolve(import.meta.dirname, "..");
const inImage = imageFiles(root);

test("what the image's files import is in the image, or a dependency of production", () => {
  const present = new Set(inImage);
  const packages = workspacePackages(root);
  const exportedFile = new Map(
    [...packages.values()].flatMap(({ directory, name, exports }) =>
      Object.entries(exports).map(([path, file]) => [join(name, path), join(directory, file)] as const),
    ),
  );
  const missing = inImage
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => {
      const own = packages.get(path.split("/").slice(0, 2).join("/"));
      const statements = importStatements(readFileSync(join(root, path), "utf8"));
      return statements
        .filter(({ specifier, kind }) => kind === "static" && !specifier.startsWith("node:"))
        .filter(({ specifier }) => {
          if (specifier.startsWith(".")) return !present.has(join(dirname(path), specifier));
          const [scope = "", name = ""] = specifier.split("/");
          const dependency = specifier.startsWith("@") ? `${scope}/${name}` : scope;
          const file = exportedFile.get(specifier);
          return !own?.dependencies.includes(dependency) || (file !== undefined && !present.has(file));
        })
        .map(({ specifier }) => `${path} imports ${specifier}`);
    });
  assert.deepEqual(missing, []);
});

test("the image holds no simulator and no test", () => {
  assert.ok(inImage.includes("cmd/keelson/src/main.ts"));
  assert.deepEqual(
    inImage.filter((path) => /^(?:simulators|tests|bench|clients)\/|\.test\.ts$|\/testing\//.test(path)),
    [],
  );
});

test("the image for development additionally contains the simulators and their pages, and no test", () => {
  const development = developmentImageFiles(root);
  const present = new Set(development);
  assert.deepEqual(
    inImage.filter((path) => !present.has(path)),
    [],
  );
  for (const path of ["cmd/keelson/src/world/parts.ts", "simulators/azure/src/index.ts"])
    assert.ok(present.has(path), path);
  const relative = development
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) =>
      importStatements(readFileSync(join(root, path), "utf8"))
        .filter(({ specifier, kind }) => kind === "static" && specifier.startsWith("."))
        .filter(({ specifier }) => !present.has(join(dirname(path), specifier)))
        .map(({ specifier }) => `${path} imports ${specifier}`),
    );
  assert.deepEqual(relative, []);
  assert.deepEqual(
    development.filter((path) => /^(?:tests|bench|clients)\/|\.test\.ts$|\/testing\//.test(path)),
    [],
  );
});

test("the image contains the files that its code reads: migrations, sample catalogues, API documents", () => {
  const kinds = [
    "libraries/database/sql/*.sql",
    "operators/samples/content/**/*.json",
    "swagger/**/redhatopenshift.json",
  ];
  const found = kinds.map((each) => globSync(each, { cwd: root }));
  assert.ok(found.every((paths) => paths.length > 0));
  const read = found.flat();
  assert.deepEqual(
    read.filter((path) => !inImage.includes(path)),
    [],
  );
});

test("the program runs from the image's files, and reports missing ones", async () => {
  using image = mkdtempDisposableSync(join(tmpdir(), "keelson-image-"));
  for (const path of inImage) cpSync(join(root, path), join(image.path, path));
  linkDependencies(image.path);
  const run = (...args: readonly string[]) =>
    new Promise<{ readonly code: number; readonly output: string }>((done) => {
      const main = join(image.path, "cmd/keelson/src/main.ts");
      execFile(process.execPath, [main, ...args], { cwd: image.path }, (error, stdout, stderr) =>
        done({ code: typeof error?.code === "number" ? error.code : 0, output: stdout + stderr }),
      );
    });
  const [help, up, rp, swagger] = await Promise.all([
    run("rp", "--help"),
    run("up", "--state", join(image.path, "state")),
    run("rp", "--config", join(image.path, "absent.json")),
    run("swagger", "list", "-o", "json"),
  ]);
  assert.equal(help.code, 0, help.output);
  assert.match(up.output, /without the simulators .*: run it from a checkout of the sources/);
  assert.equal(up.code, 1);
  // The program reads this file only after it has loaded all modules of the service.
  assert.match(rp.output, /absent\.json/);
  assert.equal(rp.code, 1);
  assert.match(swagger.output, /"version":"2025-07-25"/);
});

/** Links third-party packages into the directory. Links the repository's own packages only if the image contains them. */
function linkDependencies(image: string): void {
  const own = "@keelson";
  mkdirSync(join(image, "node_modules", own), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== own && !name.startsWith("."))
      symlinkSync(join(root, "node_modules", name), join(image, "node_modules", name));
  for (const { directory, name } of workspacePackages(root).values())
    if (existsSync(join(image, directory)))
      symlinkSync(join(image, directory), join(image, "node_modules", name));
}
