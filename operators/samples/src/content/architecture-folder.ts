const folders: Readonly<Record<string, string>> = {
  x86_64: "x86_64",
  amd64: "x86_64",
  arm64: "aarch64",
  ppc64le: "ppc64le",
  s390x: "s390x",
};

/** Directory of an architecture's catalogue. `undefined` for architectures without one. */
export function architectureFolder(architecture: string): string | undefined {
  return Object.hasOwn(folders, architecture) ? folders[architecture] : undefined;
}

/** Possible directories of a catalogue. */
export const architectureFolders = [...new Set(Object.values(folders))];
