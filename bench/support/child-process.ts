import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Child process of a benchmark. It prints one line for each line of its standard input. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** Returns the next printed line. */
  line(): Promise<string>;
  ask(): void;
}

/** Starts a script. The child process exits when its standard input ends. */
export async function startChild(file: URL, args: readonly string[]): Promise<Child> {
  const profile = process.env.PROFILE;
  const options = profile ? ["--cpu-prof", `--cpu-prof-dir=${profile}`] : [];
  const child: ChildProcess = spawn(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      "--max-old-space-size=8192",
      ...options,
      fileURLToPath(file),
      ...args,
    ],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  const { stdin, stdout, pid = 0 } = child;
  if (!stdin || !stdout) throw new Error("the process has no pipes");
  const lines: Interface = createInterface({ input: stdout });
  const read = lines[Symbol.asyncIterator]();
  return {
    pid,
    async line() {
      const { value, done } = await read.next();
      if (done) throw new Error(`${file.pathname} has ended`);
      return value;
    },
    ask: () => void stdin.write("\n"),
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      // When its standard input ends, the child process exits.
      stdin.end();
      await ended;
    },
  };
}
