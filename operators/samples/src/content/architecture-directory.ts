const directories: Readonly<Record<string, string>> = {
  x86_64: "x86_64",
  amd64: "x86_64",
  arm64: "aarch64",
  ppc64le: "ppc64le",
  s390x: "s390x",
};

/** Returns the catalogue directory of an architecture. `undefined` if the architecture has no catalogue. */
export function architectureDirectory(architecture: string): string | undefined {
  return Object.hasOwn(directories, architecture) ? directories[architecture] : undefined;
}

/** Names of all catalogue directories. */
export const architectureDirectories = [...new Set(Object.values(directories))];
