import { lstat, mkdir, rmdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { walkPath } from "@keelson/base";
import { ContainerConfigError } from "./container-environment.ts";
import { readInertLink } from "./inert-link.ts";
import { resolveBelow } from "./resolve-path.ts";

/** Host directory mounted into a container. */
export interface Mount {
  /** Absolute path in the container, without a trailing slash. */
  readonly path: string;
  readonly directory: string;
  /** Path within the host directory. Default: the complete directory. */
  readonly subPath?: string;
  readonly readOnly: boolean;
}

/**
 * File system of a container: its root directory and its mounts. Paths and links cannot escape the file system, except for links
 * that `linkMounts` creates for trusted programs. The root directory is created on first use.
 */
export class ContainerFiles {
  readonly #root: string;
  /** Mounts, longest path first. After `make`, each `directory` includes the subPath. */
  #mounts: readonly Mount[];
  readonly #fill: () => Promise<void>;
  #made: Promise<void> | undefined;

  /** `fill` populates the mounted directories. `fill` is called before the container can read these directories. */
  constructor(root: string, mounts: readonly Mount[], fill: () => Promise<void> = async () => undefined) {
    this.#root = root;
    this.#fill = fill;
    this.#mounts = mounts.toSorted((a, b) => b.path.length - a.path.length);
  }

  /** Returns the mounts, longest path first. After `make`, their directories include subPaths. */
  get mounts(): readonly Mount[] {
    return this.#mounts;
  }

  /**
   * Validates the container's subPaths before the container starts. Each subPath must be within its volume. If the container has
   * subPaths, creates the container's directories.
   * @throws ContainerConfigError
   */
  async prepare(): Promise<void> {
    if (this.#mounts.some(({ subPath }) => subPath !== undefined)) await this.make();
  }

  /** Creates the container's directories. Repeated calls have no effect, except after a failure. */
  make(): Promise<void> {
    this.#made ??= this.#make().catch((error: unknown) => {
      this.#made = undefined;
      throw error;
    });
    return this.#made;
  }

  async #make(): Promise<void> {
    await this.#fill();
    this.#mounts = await Promise.all(this.#mounts.map(mountSubPath));
    for (const name of ["tmp", "etc", "var", "root", "home"])
      await mkdir(join(this.#root, name), { recursive: true });
    for (const { path } of this.#mounts) {
      const place = await this.#mountPoint(path);
      if (!(await lstat(place).catch(() => undefined))) await mkdir(place, { recursive: true });
    }
  }

  /**
   * Creates links to the mounts, for programs that access the real directories. A nested mount becomes a link in its parent
   * mount.
   */
  async linkMounts(): Promise<void> {
    await this.make();
    for (const { path, directory } of this.#mounts) {
      const place = await this.#mountPoint(path);
      const present = await lstat(place).catch(() => undefined);
      if (present?.isSymbolicLink()) continue;
      if (present) await rmdir(place);
      await symlink(directory, place);
    }
  }

  /** Converts a path to an absolute path in the container, without `.` and `..`. */
  absolute(path: string, directory: string): string {
    const parts: string[] = [];
    for (const part of (path.startsWith("/") ? path : `${directory}/${path}`).split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    return `/${parts.join("/")}`;
  }

  /** Returns the host path of a container path. With `keepLink`, a final symbolic link is not followed. */
  async resolve(path: string, keepLink = false): Promise<string> {
    await this.make();
    return (await this.#walk(path, keepLink)).place;
  }

  /** Returns the host path of a container path for writing, like `resolve`. @throws Error if the path is read-only */
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
    const linkAt = async (components: readonly string[]) => {
      const here = `/${components.join("/")}`;
      if (this.#mounts.some((mount) => mount.path === here)) return undefined;
      return await readInertLink(this.#place(here).place);
    };
    const done = await walkPath(path, { linkAt, keepLink });
    return this.#place(`/${done.join("/")}`);
  }

  #place(path: string): { readonly place: string; readonly readOnly: boolean } {
    const mount = this.#mounts.find((each) => path === each.path || path.startsWith(`${each.path}/`));
    if (!mount) return { place: join(this.#root, path), readOnly: false };
    return { place: join(mount.directory, path.slice(mount.path.length)), readOnly: mount.readOnly };
  }

  /** Returns the host path at which a mount point is created. Creates the parent directory of the mount point. */
  async #mountPoint(path: string): Promise<string> {
    const parent = this.#mounts.find((each) => each.path !== path && path.startsWith(`${each.path}/`));
    const place = parent ? join(parent.directory, path.slice(parent.path.length)) : join(this.#root, path);
    await mkdir(dirname(place), { recursive: true });
    return place;
  }
}

/** Creates the directory of a subPath if it is missing. @throws ContainerConfigError if the directory is outside the volume */
async function mountSubPath(mount: Mount): Promise<Mount> {
  const { subPath, directory, path } = mount;
  if (subPath === undefined || subPath === "") return mount;
  try {
    const resolved = await resolveBelow(directory, subPath, { strict: true });
    if (!(await lstat(resolved).catch(() => undefined))) await mkdir(resolved, { recursive: true });
    const { subPath: _, ...whole } = mount;
    return { ...whole, directory: resolved };
  } catch (cause) {
    throw new ContainerConfigError(
      `failed to prepare subPath ${JSON.stringify(subPath)} for the mount at ${path}`,
      {
        cause,
      },
    );
  }
}
