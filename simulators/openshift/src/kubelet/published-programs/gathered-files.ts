import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { sharedTurns } from "@keelson/apiserver";
import type { KubeObject } from "@keelson/kube";
import type { CommandIo } from "../containers/command.ts";
import { itemYaml, objectYaml } from "./object-yaml.ts";

/** Directory that `oc adm must-gather` copies. */
const target = "/must-gather";
/** Minimum number of bytes that a file is charged, because even a small file occupies a block of the file system. */
const blockBytes = 4_096;
/** Maximum length of a file name in bytes. */
const maxNameBytes = 255;

export interface GatheredFilesOptions {
  readonly io: Pick<CommandIo, "files" | "stderr" | "signal">;
  /** Maximum size of all files in bytes. */
  readonly maxBytes: number;
  /** Maximum size of one list in bytes. */
  readonly maxListBytes: number;
}

/** Files of a must-gather. After the first content that exceeds the maximum size, nothing is written. */
export class GatheredFiles {
  readonly #options: GatheredFilesOptions;
  #left: number;
  #isFull = false;

  constructor(options: GatheredFilesOptions) {
    this.#options = options;
    this.#left = options.maxBytes;
  }

  /** True if the maximum size is reached. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Writes a file. The path is relative to the target directory, and its components result from `fileName`. */
  async write(path: string, content: string | Uint8Array): Promise<void> {
    if (!this.#reserve(Math.max(blockBytes, Buffer.byteLength(content)))) return;
    await writeFile(await this.#place(path), content);
    await this.#pause();
  }

  async writeObject(path: string, object: KubeObject): Promise<void> {
    if (!this.#isFull) await this.write(path, `---\n${objectYaml(object)}`);
  }

  /** Writes each object to its own file. Omits further objects with a message if the files reach the maximum size of a list. */
  async writeObjects(directory: string, objects: AsyncIterable<KubeObject>): Promise<void> {
    const { io, maxListBytes } = this.#options;
    const start = this.#left;
    for await (const object of objects) {
      if (this.#isFull) return;
      if (start - this.#left >= maxListBytes)
        return await io.stderr(`error: ${directory} reaches the limit of ${maxListBytes} bytes\n`);
      await this.writeObject(`${directory}/${fileName(object.metadata.name, ".yaml")}`, object);
    }
  }

  /**
   * Writes objects of one kind to one file, as a list. Calls `written` after each object. Creates no file for an empty list. If the
   * list reaches its maximum size, further objects are omitted with a message.
   */
  async writeList(
    path: string,
    { apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">,
    objects: AsyncIterable<KubeObject>,
    written: (object: KubeObject) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const { io, maxListBytes } = this.#options;
    let left = maxListBytes;
    let file: FileHandle | undefined;
    try {
      for await (const object of objects) {
        if (this.#isFull) return;
        const head = file ? "" : `---\napiVersion: ${apiVersion}\nkind: ${kind}List\nitems:\n`;
        const text = head + itemYaml(object);
        const size = Buffer.byteLength(text);
        if (size > left)
          return await io.stderr(`error: ${path} reaches the limit of ${maxListBytes} bytes\n`);
        if (!this.#reserve(file ? size : Math.max(blockBytes, size))) return;
        left -= size;
        file ??= await open(await this.#place(path), "w");
        await file.writeFile(text);
        await this.#pause();
        await written(object);
      }
    } finally {
      await file?.close();
    }
  }

  #reserve(bytes: number): boolean {
    if (bytes > this.#left) this.#isFull = true;
    if (this.#isFull) return false;
    this.#left -= bytes;
    return true;
  }

  async #place(path: string): Promise<string> {
    const file = await this.#options.io.files.resolveForWriting(`${target}/${path}`);
    await mkdir(dirname(file), { recursive: true });
    return file;
  }

  /** Waits for the next turn of this must-gather, because several can run at the same time and contain many objects. */
  async #pause(): Promise<void> {
    await sharedTurns.wait(this);
    this.#options.io.signal.throwIfAborted();
  }
}

/** Returns the file name of an object. Shortens a name that is too long, and adds a hash. */
export function fileName(name: string, suffix = ""): string {
  const whole = `${name}${suffix}`;
  if (Buffer.byteLength(whole) <= maxNameBytes) return whole;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return `${Buffer.from(name).subarray(0, 200).toString()}-${hash}${suffix}`;
}
