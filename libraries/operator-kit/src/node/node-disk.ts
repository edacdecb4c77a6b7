import { randomUUID } from "node:crypto";
import {
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { directoryMode, type NodeFiles, type OpenPlace, type PlaceOf, plainFiles } from "./node-files.ts";

export interface DiskFile {
  readonly content: Uint8Array | string;
  /** Permissions, for example 0o600. */
  readonly mode: number;
}

export type DiskFiles = Readonly<Record<string, DiskFile>>;

/**
 * A node's disk. Whatever it writes is there whole or not at all, also after the process was killed or the machine lost
 * its power; what a killed process leaves beside it goes with the next write.
 */
export class NodeDisk {
  readonly #files: NodeFiles;

  constructor(files: PlaceOf | NodeFiles = (path) => path) {
    this.#files = typeof files === "function" ? plainFiles(files) : files;
  }

  /** A reader sees the old content or the new. The kubelet sees a manifest that comes, and never one that is missing. */
  async writeFile(path: string, { content, mode }: DiskFile): Promise<void> {
    await using opened = await this.#files.parent(path, "create");
    const { place } = opened;
    const folder = dirname(place);
    await removeOthers(folder, asidePrefix(place));
    const aside = join(folder, `${asidePrefix(place)}${randomUUID()}`);
    await writeDurably(aside, content, mode);
    await rename(aside, place);
    await syncFolder(folder);
  }

  /**
   * Makes a folder hold these files and nothing else, at one moment: it is a link to a version of it, and the version
   * before stays, so that who has opened it reads on. False when it holds them already.
   */
  async replaceFolder(path: string, files: DiskFiles): Promise<boolean> {
    for (const name of Object.keys(files)) checkName(name);
    await using opened = await this.#files.parent(path, "create");
    const { place } = opened;
    const parent = dirname(place);
    const prefix = asidePrefix(place);
    const before = await linkTarget(place);
    if (await this.#read(path, (folder) => holds(folder, files))) return false;
    await removeOthers(parent, prefix, before);
    const version = `${prefix}${randomUUID()}`;
    await mkdir(join(parent, version), { mode: directoryMode });
    for (const [name, { content, mode }] of Object.entries(files))
      await writeDurably(join(parent, version, name), content, mode);
    await syncFolder(join(parent, version));
    const link = join(parent, `${prefix}link-${randomUUID()}`);
    await symlink(version, link);
    // A plain folder, as another installer left it, cannot be exchanged for a link in one step.
    if (before === undefined && (await lstat(place).catch(() => undefined)))
      await rename(place, join(parent, `${prefix}${randomUUID()}`));
    await rename(link, place);
    await syncFolder(parent);
    return true;
  }

  /** The names and contents of the files in a folder; `undefined` where there is none. */
  async readFolder(path: string): Promise<Readonly<Record<string, Buffer>> | undefined> {
    return this.#read(path, readAll);
  }

  async readFile(path: string): Promise<string | undefined> {
    return this.#read(path, (place) => readFile(place, "utf8"));
  }

  /** Names of the folders in a folder; none where it is absent. */
  async folders(path: string): Promise<readonly string[]> {
    const entries = await this.#read(path, (place) => readdir(place, { withFileTypes: true }));
    return (entries ?? []).filter((each) => each.isDirectory()).map(({ name }) => name);
  }

  async makeFolder(path: string): Promise<void> {
    await this.#files.makeDirectory(path);
  }

  /** Replaces a link, at one moment. */
  async writeLink(path: string, target: string): Promise<void> {
    await using opened = await this.#files.parent(path, "change");
    const { place } = opened;
    await removeOthers(dirname(place), asidePrefix(place));
    const aside = join(dirname(place), `${asidePrefix(place)}${randomUUID()}`);
    await symlink(target, aside);
    await rename(aside, place);
    await syncFolder(dirname(place));
  }

  async readLink(path: string): Promise<string | undefined> {
    await using opened = await orAbsent(this.#files.parent(path, "read"));
    return opened && linkTarget(opened.place);
  }

  /** A file, or a folder with all its versions. */
  async remove(path: string): Promise<void> {
    await using opened = await orAbsent(this.#files.parent(path, "change"));
    if (!opened) return;
    const { place } = opened;
    await rm(place, { recursive: true, force: true });
    await removeOthers(dirname(place), asidePrefix(place));
  }

  /** Opens the place of a lock file. @throws Error if a link is in its place */
  async openLock(path: string): Promise<OpenPlace> {
    const opened = await this.#files.parent(path, "create");
    if ((await linkTarget(opened.place)) === undefined) return opened;
    await opened[Symbol.asyncDispose]();
    throw new Error(`${path} is a symbolic link and no lock file`);
  }

  /** Result of a read, undefined if the path does not exist. */
  async #read<T>(path: string, read: (place: string) => Promise<T>): Promise<T | undefined> {
    await using opened = await orAbsent(this.#files.target(path));
    return opened && (await orAbsent(read(opened.place)));
  }
}

/** Hidden, so that kubelets and readers of a folder pass it over. */
function asidePrefix(place: string): string {
  return `.${basename(place)}.`;
}

function checkName(name: string): void {
  if (!/^[-._a-zA-Z0-9]+$/.test(name) || name === "." || name === "..")
    throw new TypeError(`${JSON.stringify(name)} is no name of a file in a ConfigMap or Secret`);
}

async function holds(place: string, files: DiskFiles): Promise<boolean> {
  const present = await readAll(place);
  const names = Object.keys(files);
  if (!present || Object.keys(present).length !== names.length) return false;
  for (const [name, { content, mode }] of Object.entries(files)) {
    const found = present[name];
    if (!found?.equals(Buffer.from(content))) return false;
    if (((await stat(join(place, name))).mode & 0o777) !== mode) return false;
  }
  return true;
}

async function readAll(place: string): Promise<Readonly<Record<string, Buffer>> | undefined> {
  const names = await orAbsent(readdir(place));
  if (!names) return undefined;
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(place, name))] as const),
  );
  return Object.fromEntries(files);
}

const aside = /^(link-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What an earlier process left beside a file or folder, but for `kept`. */
async function removeOthers(folder: string, prefix: string, kept?: string): Promise<void> {
  for (const name of (await orAbsent(readdir(folder))) ?? [])
    if (name !== kept && name.startsWith(prefix) && aside.test(name.slice(prefix.length)))
      await rm(join(folder, name), { recursive: true, force: true });
}

async function writeDurably(place: string, content: Uint8Array | string, mode: number): Promise<void> {
  await writeFile(place, content, { mode, flush: true });
  const file = await open(place, "r");
  try {
    // What the process masks is not part of the mode that was asked for.
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Names in a folder are durable only when the folder itself is. */
async function syncFolder(place: string): Promise<void> {
  const folder = await open(place, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function linkTarget(place: string): Promise<string | undefined> {
  try {
    return await readlink(place);
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "EINVAL")) return undefined;
    throw error;
  }
}

async function orAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
