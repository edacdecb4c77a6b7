import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** Directory that processes of the tests use as `TMPDIR`, so that an interrupted run leaves nothing behind. */
export class TemporaryDirectory {
  /** Short, because paths of Unix sockets have at most 107 bytes. */
  readonly path = mkdtempSync(join(tmpdir(), "kt-"));

  constructor() {
    // Servers that refuse to run as root create files in it as another user.
    chmodSync(this.path, 0o1777);
    process.env.TMPDIR = this.path;
  }

  entries(): readonly string[] {
    return readdirSync(this.path);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}
