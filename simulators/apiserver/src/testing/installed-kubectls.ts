import { globSync } from "node:fs";

/** One kubectl of those that `scripts/install-clients.sh` brings. */
export interface InstalledKubectl {
  /** The Debian suite it is from. */
  readonly suite: string;
  readonly path: string;
}

const folder = new URL("../../../../.tools/clients/", import.meta.url).pathname;
const oldestFirst = ["bookworm", "trixie", "sid"];

/** Every kubectl at hand, the oldest first. @throws when there is none */
export function installedKubectls(): readonly InstalledKubectl[] {
  const paths = globSync(`${folder}*/usr/bin/kubectl`);
  if (paths.length === 0) throw new Error(`there is no kubectl below ${folder}: run "make test-clients"`);
  return paths
    .map((path) => ({ suite: path.slice(folder.length).split("/")[0] ?? "", path }))
    .sort((a, b) => oldestFirst.indexOf(a.suite) - oldestFirst.indexOf(b.suite));
}

/** @throws when there is none */
export function newestKubectl(): InstalledKubectl {
  const newest = installedKubectls().at(-1);
  if (!newest) throw new Error("there is no kubectl");
  return newest;
}
