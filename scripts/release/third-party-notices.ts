import { existsSync, globSync, readFileSync } from "node:fs";
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
 * Returns the licenses of the packages in an SBOM (CycloneDX), with the license files of `node_modules`. Omits packages of the
 * repository itself.
 * @throws Error if a package has neither a license name nor a license file
 */
export function thirdPartyNotices(sbom: Sbom, root: string, own: ReadonlySet<string>): string {
  const packages = new Map<string, string>();
  for (const component of sbom.components) {
    const name = component.group ? `${component.group}/${component.name}` : component.name;
    if (own.has(name)) continue;
    const license = licenseName(component);
    const files = licenseFiles(root, name, component.version);
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

/** Returns the license and notice files of the installed package. Empty if the package is not installed or has none. */
function licenseFiles(root: string, name: string, version: string): string {
  const directory = [
    join(root, "node_modules", name),
    ...globSync([`node_modules/**/node_modules/${name}`, `*/*/node_modules/${name}`], { cwd: root }).map(
      (each) => join(root, each),
    ),
  ].find((each) => {
    const manifest = join(each, "package.json");
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === version;
  });
  if (directory === undefined) return "";
  return globSync("{LICEN[CS]E,licen[cs]e,NOTICE,notice,COPYING,copying}*", {
    cwd: directory,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(directory, entry.name), "utf8").trim())
    .join("\n\n");
}
