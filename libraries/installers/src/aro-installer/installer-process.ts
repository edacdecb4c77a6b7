import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import process from "node:process";
import { type Clock, messageOf } from "@keelson/base";
import { installerErrors } from "../install/errors.ts";
import type { ProcessMark } from "./install-directory.ts";

export interface ProcessRequest {
  /** The program and its arguments; no shell is involved. */
  readonly command: readonly string[];
  readonly directory: string;
  /** The complete environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its output is appended to this file, also after this process has ended. */
  readonly outputFile: string;
}

/** `unknown` for a process that an earlier process of the service started. */
export type ProcessEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "killed"; readonly by: string }
  | { readonly kind: "unknown" };

/** Process in its own process group, which survives this one. */
export interface InstallerProcess {
  readonly mark: ProcessMark;
  /** `undefined` while it runs. */
  end(): ProcessEnd | undefined;
  /** Aborts when it ends, if this process started it. */
  readonly ended: AbortSignal;
}

const ownerFile = 0o600;

/** @throws InstallerUnavailable when there is no such program */
export async function startProcess(request: ProcessRequest): Promise<InstallerProcess> {
  const [program = "", ...args] = request.command;
  const output = openSync(request.outputFile, "a", ownerFile);
  try {
    const child = spawn(program, args, {
      cwd: request.directory,
      env: request.environment,
      stdio: ["ignore", output, output],
      detached: true,
      shell: false,
    });
    const ended = new AbortController();
    let end: ProcessEnd | undefined;
    child.once("exit", (code, by) => {
      end = code === null ? { kind: "killed", by: by ?? "a signal" } : { kind: "exited", code };
      ended.abort();
    });
    const pid = await new Promise<number>((resolve, reject) => {
      child.once("spawn", () => resolve(child.pid ?? 0));
      child.once("error", reject);
    });
    // The child does not keep this process running.
    child.unref();
    return { mark: { pid, startedAt: startOf(pid) ?? "" }, end: () => end, ended: ended.signal };
  } catch (cause) {
    throw installerErrors.InstallerUnavailable(`${program} cannot be started: ${messageOf(cause)}`, {
      cause,
    });
  } finally {
    closeSync(output);
  }
}

/** Attaches to a process that an earlier process of the service started. */
export function attachProcess(mark: ProcessMark): InstallerProcess {
  const end = () => (isRunning(mark) ? undefined : ({ kind: "unknown" } as const));
  return { mark, end, ended: new AbortController().signal };
}

export interface Waiting {
  readonly clock: Clock;
  /** Its abort ends the process group. */
  readonly signal: AbortSignal;
  /** Time between two polls. */
  readonly everyMs: number;
  /** Time for the process to exit after SIGTERM, before SIGKILL. */
  readonly graceMs: number;
  /** Called at each poll, the last time after the exit. */
  readonly onPoll: () => void;
}

/** Resolves when the process has exited. @throws the signal's reason after all processes have exited */
export async function waitForEnd(installer: InstallerProcess, waiting: Waiting): Promise<ProcessEnd> {
  const { signal, onPoll } = waiting;
  const end = await poll(
    installer,
    waiting,
    AbortSignal.any([signal, installer.ended]),
    Number.POSITIVE_INFINITY,
  );
  if (end) {
    onPoll();
    return end;
  }
  await endGroup(installer, waiting);
  throw signal.reason;
}

/** Terminates the process group. Resolves when it is gone. */
export async function endGroup(
  installer: InstallerProcess,
  { clock, everyMs, graceMs, onPoll }: Omit<Waiting, "signal">,
): Promise<void> {
  const polling = { clock, everyMs: Math.min(everyMs, graceMs), graceMs, onPoll };
  signalGroup(installer.mark, "SIGTERM");
  await poll(installer, polling, installer.ended, graceMs);
  signalGroup(installer.mark, "SIGKILL");
  await poll(installer, polling, installer.ended, Number.POSITIVE_INFINITY);
}

/**
 * Polls until the process has exited. Undefined if `until` aborts for a different reason, or after `limitMs`.
 */
async function poll(
  installer: InstallerProcess,
  { clock, everyMs, onPoll }: Pick<Waiting, "clock" | "everyMs" | "onPoll">,
  until: AbortSignal,
  limitMs: number,
): Promise<ProcessEnd | undefined> {
  const startedMs = clock.monotonicMs();
  for (;;) {
    const end = installer.end();
    if (end) return end;
    if (until.aborted || clock.monotonicMs() - startedMs >= limitMs) return undefined;
    onPoll();
    // The next poll determines the reason for an early wake-up.
    await clock.sleep(everyMs, until).catch(() => undefined);
  }
}

/** Signals the process group. A missing group is not an error. */
function signalGroup({ pid, startedAt }: ProcessMark, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid <= 1 || (startedAt !== "" && startOf(pid) !== undefined && startOf(pid) !== startedAt)) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function isRunning({ pid, startedAt }: ProcessMark): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return startedAt === "" || startOf(pid) === startedAt;
}

/**
 * Returns the start time of a process. Undefined after its exit, or if the system does not report it
 * (proc_pid_stat(5), field 22).
 */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie is still listed.
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
