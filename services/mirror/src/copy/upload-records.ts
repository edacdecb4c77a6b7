import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FileLock, isPlainObject, messageOf } from "@keelson/base";
import { errors } from "../registry/errors.ts";

/** Saved progress of a blob upload. A different process can resume the upload from it. */
export interface UploadRecord {
  /** URL at which the registry accepts the next bytes. */
  readonly location: string;
  /** Number of bytes covered by `hash`. The registry may have received more. */
  readonly offset: number;
  readonly hash: string;
}

/** Records of unfinished uploads in a directory. Each upload has a separate file, so that records can be written concurrently. */
export class UploadRecords implements Disposable {
  readonly #directory: string;
  readonly #lock: FileLock;

  private constructor(directory: string, lock: FileLock) {
    this.#directory = directory;
    this.#lock = lock;
  }

  /** Opens the directory. @throws MirrorBusy if a different process uses the directory; StateUnusable */
  static async open(directory: string): Promise<UploadRecords> {
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const lock = FileLock.acquire(join(directory, "lock"));
      if (lock) return new UploadRecords(directory, lock);
    } catch (cause) {
      throw unusable(directory, cause);
    }
    throw errors.MirrorBusy(
      `another process mirrors with the state in ${directory}: wait for its end, or use another folder`,
    );
  }

  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]();
  }

  /** Returns the record of an upload. Returns undefined if it is missing or unusable. */
  async find(upload: string): Promise<UploadRecord | undefined> {
    try {
      const value: unknown = JSON.parse(await readFile(this.#path(upload), "utf8"));
      if (!isPlainObject(value)) return undefined;
      const { location, offset, hash } = value;
      if (typeof location !== "string" || typeof offset !== "number" || typeof hash !== "string")
        return undefined;
      return { location, offset, hash };
    } catch {
      return undefined;
    }
  }

  /**
   * Writes a record to a temporary file and renames the file. If the process is killed, the previous record remains.
   * @throws StateUnusable, for example on a full disk
   */
  async put(upload: string, record: UploadRecord): Promise<void> {
    const path = this.#path(upload);
    try {
      await writeFile(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
      await rename(`${path}.new`, path);
    } catch (cause) {
      throw unusable(this.#directory, cause);
    }
  }

  async remove(upload: string): Promise<void> {
    await rm(this.#path(upload), { force: true });
  }

  #path(upload: string): string {
    return join(this.#directory, `${createHash("sha256").update(upload).digest("hex").slice(0, 40)}.json`);
  }
}

function unusable(directory: string, cause: unknown) {
  return errors.StateUnusable(`the state in ${directory} cannot be written: ${messageOf(cause)}`, { cause });
}
