import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** `TMPDIR` of the test processes. The directory is removed even if the run is interrupted. */
export class TemporaryDirectory {
  /** The path is short because Unix socket paths have at most 107 bytes. */
  readonly path = mkdtempSync(join(tmpdir(), "kt-"));

  constructor() {
    // Tests start servers that refuse to run as root. These servers write to the directory as a different user.
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
