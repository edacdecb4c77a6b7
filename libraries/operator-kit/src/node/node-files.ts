import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/** Maps a path of the node to the file system of this process. */
export type PlaceOf = (path: string) => string;

/** Path in the file system of this process. It stays valid until disposal. */
export interface OpenPlace extends AsyncDisposable {
  readonly place: string;
}

/** Purpose of opening a directory. `create` makes missing directories. */
export type DirectoryUse = "read" | "change" | "create";

/** File system of a node. */
export interface NodeFiles {
  /** Opens the directory of a path. A link at the end of the path is kept. */
  parent(path: string, use: DirectoryUse): Promise<OpenPlace>;
  /** Opens the file or directory at a path after all links. */
  target(path: string): Promise<OpenPlace>;
  /** Makes a directory and those above it. */
  makeDirectory(path: string): Promise<void>;
}

export const directoryMode = 0o755;

/** Files with places that are known without opening them, as on a real node. */
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
