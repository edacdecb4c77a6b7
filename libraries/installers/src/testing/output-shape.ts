import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { isPlainObject } from "@keelson/base";
import { parse } from "yaml";

/** Names, file modes and keys in the output of ARO's installer. Random values and times are excluded. */
export interface OutputShape {
  /** Files in the work directory, sorted by path, each with its mode. Example: "640 auth/kubeconfig". */
  readonly files: readonly string[];
  /** Sorted blob names by container. */
  readonly blobs: readonly string[];
  /** Key paths of each JSON or YAML file by file path, and of each asset in `readAssets` by asset name. See `keyPathsOf`. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** Names of the graph's assets, in the graph's order. */
  readonly assets: readonly string[];
  /** Files on the bootstrap machine with their modes, in the order of its Ignition configuration. Example: "644 /etc/motd". */
  readonly bootstrapFiles: readonly string[];
}

export interface InstallerOutput {
  /** Work directory of the command `create manifests`. */
  readonly directory: string;
  /** Opened graph. */
  readonly graph: string;
  readonly blobs: readonly string[];
}

/** Graph assets that the service reads. */
const readAssets = [
  "*installconfig.ClusterID",
  "*kubeconfig.AdminInternalClient",
  "*password.KubeadminPassword",
  "*tls.AdminKubeConfigSignerCertKey",
  "*tls.RootCA",
];

export function shapeOf({ directory, graph, blobs }: InstallerOutput): OutputShape {
  const files = filesBelow(directory);
  const documents = files.filter(({ path }) => /\.(?:json|ign)$|kubeconfig$/.test(path));
  const contents = documents.map(
    ({ path }) => [path, parse(readFileSync(join(directory, path), "utf8"))] as const,
  );
  const assets: Readonly<Record<string, unknown>> = JSON.parse(graph);
  const read = readAssets.map((name) => [name, assets[name]] as const);
  const bootstrap: unknown = Object.fromEntries(contents)["bootstrap.ign"];
  return {
    files: files.map(({ path, mode }) => `${mode.toString(8)} ${path}`),
    blobs: blobs.toSorted(),
    keys: Object.fromEntries([...contents, ...read].map(([name, content]) => [name, keyPathsOf(content)])),
    assets: Object.keys(assets),
    bootstrapFiles: machineFiles(bootstrap),
  };
}

/** Returns the paths of all keys in document order. All elements of a list have the same path, for example `users[].name`. */
export function keyPathsOf(value: unknown): readonly string[] {
  const paths = new Set<string>();
  const add = (each: unknown, path: string) => {
    if (Array.isArray(each)) for (const element of each) add(element, `${path}[]`);
    else if (isPlainObject(each))
      for (const [key, field] of Object.entries(each)) {
        const own = path === "" ? key : `${path}.${key}`;
        paths.add(own);
        add(field, own);
      }
  };
  add(value, "");
  return [...paths];
}

function filesBelow(directory: string) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(directory, path), mode: lstatSync(path).mode & 0o777 }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

interface MachineFile {
  readonly path: string;
  readonly mode?: number;
}

function machineFiles(ignition: unknown): readonly string[] {
  const { files = [] }: { files?: readonly MachineFile[] } = Object(Object(ignition).storage);
  return files.map(({ path, mode = 0 }) => `${mode.toString(8)} ${path}`);
}
