import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
}

export interface Sbom {
  readonly components: readonly Component[];
}

/**
 * Licenses of packages that have neither a license in package.json nor a license file. Each entry names the source of the
 * information.
 */
const otherLicenses: Readonly<Record<string, string>> = {
  "semaphore 1.1.0": "MIT, according to its README.md",
};

/**
 * Returns the licenses of the packages in an SBOM (CycloneDX), with the license files of `node_modules`. Omits packages of the
 * repository itself.
 * @throws Error if a package has neither a license name nor a license file
 */
export function thirdPartyNotices(sbom: Sbom, root: string, own: ReadonlySet<string>): string {
  const directories = installedDirectories(root);
  const packages = new Map<string, string>();
  for (const component of sbom.components) {
    const name = component.group ? `${component.group}/${component.name}` : component.name;
    if (own.has(name)) continue;
    const license = licenseName(component) ?? otherLicenses[`${name} ${component.version}`];
    const files = licenseFiles(root, directories.get(`${name} ${component.version}`));
    if (license === undefined && files === "")
      throw new Error(`${name} ${component.version} has no license. Replace the package.`);
    packages.set(
      `${name} ${component.version}`,
      [`License: ${license ?? "see below"}`, files].join("\n\n").trim(),
    );
  }
  const rule = "=".repeat(80);
  const blocks = [...packages]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, body]) => `${rule}\n${title}\n${body}\n`);
  return `Third-party packages of Keelson, with their licenses.\n\n${blocks.join("\n")}`;
}

function licenseName({ licenses = [] }: Component): string | undefined {
  const names = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name);
  return names.filter((each) => each !== undefined).join(", ") || undefined;
}

/** Returns the directories of the packages in the lock file, by name and version. */
function installedDirectories(root: string): ReadonlyMap<string, string> {
  const lock: { readonly packages: Readonly<Record<string, { readonly version?: string }>> } = JSON.parse(
    readFileSync(join(root, "package-lock.json"), "utf8"),
  );
  const mark = "node_modules/";
  return new Map(
    Object.entries(lock.packages)
      .filter(([path]) => path.includes(mark) && existsSync(join(root, path)))
      .map(([path, { version }]) => [`${path.slice(path.lastIndexOf(mark) + mark.length)} ${version}`, path]),
  );
}

/** Returns the license and notice files of a package. Empty if the package is not installed or has no such files. */
function licenseFiles(root: string, directory: string | undefined): string {
  if (directory === undefined) return "";
  return readdirSync(join(root, directory), { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(?:licen[cs]e|notice|copying)/i.test(entry.name))
    .map((entry) => readFileSync(join(root, directory, entry.name), "utf8").trim())
    .join("\n\n");
}
