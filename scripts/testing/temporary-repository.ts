import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Git repository with the branch `main` in a temporary directory, removed on disposal. */
export class TemporaryRepository implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "repository-"));

  constructor() {
    this.git("init", "--quiet", "--initial-branch=main");
  }

  git(...args: readonly string[]): string {
    const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgSign=false"];
    return execFileSync("git", [...identity, ...args], { cwd: this.root, encoding: "utf8", stdio: "pipe" });
  }

  write(path: string, content: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  /** Commits all files. */
  commit(subject: string): void {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", `--message=${subject}`);
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true });
  }
}
