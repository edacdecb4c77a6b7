import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** `TMPDIR` of the test processes. It is removed after an interrupted run too. */
export class TemporaryDirectory {
  /** The path is short because Unix socket paths have at most 107 bytes. */
  readonly path = mkdtempSync(join(tmpdir(), "kt-"));

  constructor() {
    // Servers that refuse to run as root write to it as a different user.
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
