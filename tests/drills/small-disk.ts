import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Size in MB. This size is sufficient for a new PostgreSQL server with some documents. */
const sizeMb = 512;
const block = Buffer.alloc(64 * 1_024);

/** File system in memory that a drill can fill completely. Requires root on Linux. */
export class SmallDisk implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "keelson-disk-"));

  constructor() {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${sizeMb}m,mode=755`, "tmpfs", this.path]);
    chmodSync(this.path, 0o755);
  }

  /** Fills the file system to its last block. */
  fill(): void {
    const file = openSync(this.#filler, "w");
    try {
      for (;;) writeSync(file, block);
    } catch (error) {
      if (Object(error).code !== "ENOSPC") throw error;
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#filler, { force: true });
  }

  get #filler(): string {
    return join(this.path, "filler");
  }

  [Symbol.dispose](): void {
    execFileSync("umount", ["--lazy", this.path]);
    rmSync(this.path, { recursive: true, force: true });
  }
}
