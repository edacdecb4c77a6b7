import { lstat, mkdir, readlink, rmdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A folder of the machine that a container sees at a path of its own. */
export interface Mount {
  /** Absolute, without a slash at the end. */
  readonly path: string;
  readonly folder: string;
  readonly readOnly: boolean;
}

const maxLinks = 40;

/**
 * The file system of a container: its own folder, and what is mounted into it. Whatever a path or a link says, it leads
 * to nothing outside. The folder is made when it is first needed.
 */
export class ContainerFiles {
  readonly #root: string;
  readonly #mounts: readonly Mount[];
  readonly #fill: () => Promise<void>;
  #made: Promise<void> | undefined;

  /** `fill` puts into the mounted folders what belongs there, before the container sees them. */
  constructor(root: string, mounts: readonly Mount[], fill: () => Promise<void> = async () => undefined) {
    this.#root = root;
    this.#fill = fill;
    this.#mounts = mounts.toSorted((a, b) => b.path.length - a.path.length);
  }

  /** Makes the folders that every container has. Idempotent. */
  make(): Promise<void> {
    this.#made ??= (async () => {
      await this.#fill();
      for (const name of ["tmp", "etc", "var", "root", "home"])
        await mkdir(join(this.#root, name), { recursive: true });
      for (const { path } of this.#mounts) {
        const place = await this.#mountPoint(path);
        if (!(await lstat(place).catch(() => undefined))) await mkdir(place, { recursive: true });
      }
    })();
    return this.#made;
  }

  /** Makes mounts visible to programs that see the real folders. A mount within another becomes a link in that. */
  async linkMounts(): Promise<void> {
    await this.make();
    for (const { path, folder } of this.#mounts) {
      const place = await this.#mountPoint(path);
      const present = await lstat(place).catch(() => undefined);
      if (present?.isSymbolicLink()) continue;
      if (present) await rmdir(place);
      await symlink(folder, place);
    }
  }

  /** The path with all its `.` and `..` gone, absolute within the container. */
  absolute(path: string, folder: string): string {
    const parts: string[] = [];
    for (const part of (path.startsWith("/") ? path : `${folder}/${path}`).split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    return `/${parts.join("/")}`;
  }

  /** Where on this machine a path of the container is. With `keepLink` a link at the end is not followed. */
  async resolve(path: string, keepLink = false): Promise<string> {
    await this.make();
    return (await this.#walk(path, keepLink)).place;
  }

  /** As `resolve`, for writing. @throws where the container sees it read-only */
  async resolveForWriting(path: string, keepLink = false): Promise<string> {
    await this.make();
    const { place, readOnly } = await this.#walk(path, keepLink);
    if (readOnly) throw new Error(`${path}: Read-only file system`);
    return place;
  }

  async #walk(
    path: string,
    keepLink: boolean,
  ): Promise<{ readonly place: string; readonly readOnly: boolean }> {
    let links = 0;
    const left = path.split("/").filter((each) => each !== "" && each !== ".");
    let done: string[] = [];
    while (left.length > 0) {
      const part = left.shift() ?? "";
      if (part === "..") {
        done.pop();
        continue;
      }
      const here = [...done, part];
      const { place } = this.#place(`/${here.join("/")}`);
      const isMount = this.#mounts.some((mount) => mount.path === `/${here.join("/")}`);
      const link = isMount || (keepLink && left.length === 0) ? undefined : await linkAt(place);
      if (link === undefined) {
        done = here;
        continue;
      }
      links += 1;
      if (links > maxLinks) throw new Error(`${path}: Too many levels of symbolic links`);
      if (link.startsWith("/")) done = [];
      left.unshift(...link.split("/").filter((each) => each !== "" && each !== "."));
    }
    return this.#place(`/${done.join("/")}`);
  }

  #place(path: string): { readonly place: string; readonly readOnly: boolean } {
    const mount = this.#mounts.find((each) => path === each.path || path.startsWith(`${each.path}/`));
    if (!mount) return { place: join(this.#root, path), readOnly: false };
    return { place: join(mount.folder, path.slice(mount.path.length)), readOnly: mount.readOnly };
  }

  /** In whatever folder or other mount it lies, so that listings show it. */
  async #mountPoint(path: string): Promise<string> {
    const parent = this.#mounts.find((each) => each.path !== path && path.startsWith(`${each.path}/`));
    const place = parent ? join(parent.folder, path.slice(parent.path.length)) : join(this.#root, path);
    await mkdir(dirname(place), { recursive: true });
    return place;
  }
}

async function linkAt(place: string): Promise<string | undefined> {
  try {
    return (await lstat(place)).isSymbolicLink() ? await readlink(place) : undefined;
  } catch {
    // Nothing is there, or not yet: whoever uses the path is told.
    return undefined;
  }
}
