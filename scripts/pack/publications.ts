/** Package on npm. */
export interface Publication {
  /** Name on npm. */
  readonly name: string;
  /** Workspace package. */
  readonly source: string;
  /** Further workspace packages, for example development dependencies that the published program uses. */
  readonly with?: readonly string[];
  /** True if the archive contains all workspace packages that it needs. */
  readonly bundles: boolean;
  /** Compiled modules of the programs, by program name. The module path is relative to the package. */
  readonly bin?: Readonly<Record<string, string>>;
  /** Compiled modules of executables outside of `bin`, by path of the executable. npm does not link these executables. */
  readonly executables?: Readonly<Record<string, string>>;
}

/** Published packages. If a package uses a second package without bundling it, the second package comes first. */
export const publications: readonly Publication[] = [
  { name: "@keelson/base", source: "@keelson/base", bundles: false },
  { name: "@keelson/database", source: "@keelson/database", bundles: false },
  { name: "@keelson/workflow", source: "@keelson/workflow", bundles: false },
  {
    name: "@keelson/apiserver",
    source: "@keelson/apiserver",
    bundles: true,
    bin: { "keelson-apiserver": "lib/bin/keelson-apiserver.js" },
    // Users set KUBEBUILDER_ASSETS to the directory of these executables.
    executables: {
      "envtest/kube-apiserver": "lib/bin/kube-apiserver.js",
      "envtest/etcd": "lib/bin/etcd.js",
    },
  },
  {
    name: "@keelson/sim-azure",
    source: "@keelson/sim-azure",
    bundles: true,
    bin: { "keelson-azure": "lib/bin/keelson-azure.js" },
  },
  { name: "@keelson/sim-openshift", source: "@keelson/sim-openshift", bundles: true },
  {
    name: "keelson",
    source: "@keelson/keelson",
    with: ["@keelson/apiserver", "@keelson/sim-azure", "@keelson/sim-console", "@keelson/sim-openshift"],
    bundles: true,
    bin: { keelson: "lib/main.js" },
  },
];
