import { globSync } from "node:fs";

/** kubectl version installed by `scripts/install-clients.sh`. */
export interface InstalledKubectl {
  /** Debian suite that contains the package. */
  readonly suite: string;
  readonly path: string;
}

const directory = new URL("../../../../.tools/clients/", import.meta.url).pathname;
const oldestFirst = ["bookworm", "trixie", "sid"];

/**
 * Returns all installed kubectl versions, oldest first.
 * @throws Error if none is installed
 */
export function installedKubectls(): readonly InstalledKubectl[] {
  const paths = globSync(`${directory}*/usr/bin/kubectl`);
  if (paths.length === 0) throw new Error(`no kubectl in ${directory}. Run \`make test-clients\`.`);
  return paths
    .map((path) => ({ suite: path.slice(directory.length).split("/")[0] ?? "", path }))
    .sort((a, b) => oldestFirst.indexOf(a.suite) - oldestFirst.indexOf(b.suite));
}

/**
 * Returns the newest installed kubectl.
 * @throws Error if none is installed
 */
export function newestKubectl(): InstalledKubectl {
  const newest = installedKubectls().at(-1);
  if (!newest) throw new Error("kubectl is not installed. Run `make test-clients`.");
  return newest;
}
