export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly description: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
}

export interface PublishedParts {
  /** Programs by name. */
  readonly bin?: Readonly<Record<string, string>>;
  /** Manifests of the workspace packages in the archive. */
  readonly bundled?: readonly Manifest[];
}

/** Returns the manifest for publication. It contains the built entry points without test support. */
export function publishedManifest(
  { name, version, license, description, dependencies = {}, exports }: Manifest,
  { bin = {}, bundled = [] }: PublishedParts,
): object {
  const built = Object.entries(exports)
    .filter(([, file]) => !file.includes("/testing/"))
    .map(([path, file]) => {
      const base = file.replace("./src/", "./lib/").replace(/\.ts$/, "");
      return [path, { types: `${base}.d.ts`, default: `${base}.js` }] as const;
    });
  return {
    name,
    version,
    license,
    description,
    type: "module",
    engines: { node: ">=24" },
    exports: { ...Object.fromEntries(built), "./package.json": "./package.json" },
    ...(Object.keys(bin).length > 0 ? { bin } : {}),
    files: ["lib", "bin", "envtest", "dist", "sql", "manifests", "content", "swagger"],
    dependencies: allDependencies(name, [
      dependencies,
      ...bundled.map((part) => part.dependencies ?? {}),
      versionsOf(bundled),
    ]),
    ...(bundled.length > 0 ? { bundleDependencies: bundled.map((part) => part.name) } : {}),
  };
}

/**
 * Merges dependencies. npm does not install the dependencies of bundled packages, so the published package declares them.
 * @throws Error if two packages need different versions of a dependency
 */
function allDependencies(
  name: string,
  all: readonly Readonly<Record<string, string>>[],
): Readonly<Record<string, string>> {
  const merged = new Map<string, string>();
  for (const [dependency, version] of all.flatMap((each) => Object.entries(each))) {
    const before = merged.get(dependency);
    if (before !== undefined && before !== version)
      throw new Error(
        `${name} needs ${dependency} ${before} and ${version}. Use the same version in all packages.`,
      );
    merged.set(dependency, version);
  }
  return Object.fromEntries([...merged].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function versionsOf(bundled: readonly Manifest[]): Readonly<Record<string, string>> {
  return Object.fromEntries(bundled.map(({ name, version }) => [name, version]));
}
