import { readdirSync } from "node:fs";
import { join } from "node:path";

const languages = /\.(?:ts|tsx|mjs|md|py|sh)$|^keelson$|^\.ci\/run$/;
const generated =
  /^(?:swagger|deploy|clients\/typescript\/src\/versions|clients\/python\/src\/keelson\/mgmt\/redhatopenshift\/v\w+|operators\/samples\/content|simulators\/openshift\/src\/release\/crds)\/|\.generated\.|\/zz_generated/;
const fixtures = /^scripts\/(?:language\/.*|check-language)\.test\.ts$/;
const skippedDirectories = new Set(["node_modules", "dist", "coverage", "__pycache__"]);

/** True if the file is checked. False for generated files and for fixtures of the check's own tests. */
export function isChecked(path: string): boolean {
  return languages.test(path) && !generated.test(path) && !fixtures.test(path);
}

/** Returns the paths of the checked files relative to `root`, sorted. */
export function checkedFiles(root: string): readonly string[] {
  const files: string[] = [];
  const directories = [""];
  for (const directory of directories) {
    for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      if (entry.isDirectory() && !isSkipped(entry.name)) directories.push(path);
      else if (entry.isFile() && isChecked(path)) files.push(path);
    }
  }
  return files.sort();
}

function isSkipped(name: string): boolean {
  return skippedDirectories.has(name) || (name.startsWith(".") && name !== ".ci");
}

/**
 * Returns the package of a file, for example `libraries/base`. For a file outside of packages, returns the top-level directory.
 */
export function packageOf(path: string): string {
  const [top = "", second = ""] = path.split("/");
  return /^(?:cmd|services|operators|libraries|simulators|clients)$/.test(top) && !second.endsWith(".md")
    ? `${top}/${second}`
    : top;
}
