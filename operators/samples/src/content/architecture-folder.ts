const folders: Readonly<Record<string, string>> = {
  x86_64: "x86_64",
  amd64: "x86_64",
  arm64: "aarch64",
  ppc64le: "ppc64le",
  s390x: "s390x",
};

/** Returns the catalogue directory of an architecture. `undefined` if the architecture has no catalogue. */
export function architectureFolder(architecture: string): string | undefined {
  return Object.hasOwn(folders, architecture) ? folders[architecture] : undefined;
}

/** Names of all catalogue directories. */
export const architectureFolders = [...new Set(Object.values(folders))];
