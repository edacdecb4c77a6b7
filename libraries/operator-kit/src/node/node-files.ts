import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/** Maps a path of the node to a path in the file system of this process. */
export type PlaceOf = (path: string) => string;

/** Open path in the file system of this process. It is valid until disposal. */
export interface OpenPlace extends AsyncDisposable {
  readonly place: string;
}

/** Purpose of opening a directory. `create` also creates missing directories. */
export type DirectoryUse = "read" | "change" | "create";

/** File system of a node. */
export interface NodeFiles {
  /** Opens the parent directory of a path. A link in the last component is not followed. */
  parent(path: string, use: DirectoryUse): Promise<OpenPlace>;
  /** Opens the file or directory at a path. All links are followed. */
  target(path: string): Promise<OpenPlace>;
  /** Creates a directory and its missing parents. */
  makeDirectory(path: string): Promise<void>;
}

export const directoryMode = 0o755;

/** Returns the files of a real node. Their paths are used directly, without an open parent directory. */
export function plainFiles(placeOf: PlaceOf): NodeFiles {
  const at = (path: string): OpenPlace => ({
    place: placeOf(path),
    [Symbol.asyncDispose]: async () => undefined,
  });
  return {
    async parent(path, use) {
      const opened = at(path);
      if (use === "create") await mkdir(dirname(opened.place), { recursive: true, mode: directoryMode });
      return opened;
    },
    target: async (path) => at(path),
    async makeDirectory(path) {
      await mkdir(placeOf(path), { recursive: true, mode: directoryMode });
    },
  };
}
