import { mkdir, readdir, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "@keelson/base";
import { ContainerConfigError } from "../containers/container-environment.ts";

export type Payload = ReadonlyMap<string, string | Buffer>;

/** Link to the current payload. Replacing the link switches all files atomically. */
const current = "..data";

/**
 * Directory of a volume with files that the kubelet writes (K/kubernetes pkg/volume/util/atomic_writer.go). The files are in a
 * subdirectory, to which the link `..data` refers. Each name in the volume is a link through `..data`. A reader that opens
 * `..data` therefore sees either all old or all new files.
 */
export class PayloadDirectory {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #keepsOld: boolean;
  #written: Payload | undefined;

  /** `keepsOld` retains previous payloads because `subPath` mounts still use them. */
  constructor(directory: string, clock: Clock, keepsOld: boolean) {
    this.#directory = directory;
    this.#clock = clock;
    this.#keepsOld = keepsOld;
  }

  /** Writes a payload. Does nothing if the payload is unchanged. @throws ContainerConfigError for a path outside the volume */
  async write(payload: Payload): Promise<void> {
    if (this.#written && areEqual(this.#written, payload)) return;
    const names = new Set([...payload.keys()].map(firstOf));
    const old = await readlink(join(this.#directory, current)).catch(() => undefined);
    const oldNames = old === undefined ? [] : await readdir(join(this.#directory, old)).catch(() => []);
    const fresh = await this.#writeFiles(payload);
    await replaceLink(join(this.#directory, current), fresh);
    for (const name of names) await replaceLink(join(this.#directory, name), join(current, name));
    for (const name of oldNames) if (!names.has(name)) await rm(join(this.#directory, name), { force: true });
    if (old !== undefined && !this.#keepsOld)
      await rm(join(this.#directory, old), { recursive: true, force: true });
    this.#written = payload;
  }

  async #writeFiles(payload: Payload): Promise<string> {
    const stamp = this.#clock.now().toISOString().replace(/[-:T]/g, "_").replace("Z", "");
    await mkdir(this.#directory, { recursive: true });
    let name = `..${stamp}`;
    // The name can exist already, for example because of a second payload in the same second or an earlier process. In this case,
    // a suffix is added.
    for (let times = 1; !(await isNewDirectory(join(this.#directory, name))); times++)
      name = `..${stamp}.${times}`;
    for (const [path, content] of payload) {
      const file = join(this.#directory, name, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content, { mode: 0o644 });
    }
    return name;
  }
}

function firstOf(path: string): string {
  const parts = path.split("/");
  const [first = ""] = parts;
  if (["", "."].includes(first) || first.startsWith("..") || parts.includes(".."))
    throw new ContainerConfigError(`MountVolume.SetUp failed: invalid path ${JSON.stringify(path)}`);
  return first;
}

async function isNewDirectory(directory: string): Promise<boolean> {
  return (await mkdir(directory, { recursive: true })) !== undefined;
}

async function replaceLink(place: string, target: string): Promise<void> {
  if ((await readlink(place).catch(() => undefined)) === target) return;
  const next = `${place}_tmp`;
  await rm(next, { force: true });
  await symlink(target, next);
  await rename(next, place);
}

function areEqual(one: Payload, other: Payload): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([path, content]) => {
    const present = other.get(path);
    return present !== undefined && Buffer.from(content).equals(Buffer.from(present));
  });
}
