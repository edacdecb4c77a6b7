import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import process from "node:process";
import { type Clock, messageOf } from "@keelson/base";
import { installerErrors } from "../install/errors.ts";
import type { ProcessMark } from "./install-directory.ts";

export interface ProcessRequest {
  /** Path of the program, with its arguments. The program is started without a shell. */
  readonly command: readonly string[];
  readonly directory: string;
  /** Complete environment of the process. No variables are inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** The process appends its output to this file, even after the service has exited. */
  readonly outputFile: string;
}

/** Result of a process. It is `unknown` if a previous process of the service started the installer. */
export type ProcessEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "killed"; readonly by: string }
  | { readonly kind: "unknown" };

/** Installer that runs in its own process group. The installer continues after the service has exited. */
export interface InstallerProcess {
  readonly mark: ProcessMark;
  /** Returns the result of the process. Undefined while the process runs. */
  end(): ProcessEnd | undefined;
  /** Aborts when the process exits. If a previous process of the service started the installer, the signal never aborts. */
  readonly ended: AbortSignal;
}

const ownerFile = 0o600;

/**
 * Starts a process.
 * @throws InstallerUnavailable if the program does not exist
 */
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
    // The service may exit while the installer, its child process, still runs.
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

/** Attaches to an installer process that a previous process of the service started. */
export function attachProcess(mark: ProcessMark): InstallerProcess {
  const end = () => (isRunning(mark) ? undefined : ({ kind: "unknown" } as const));
  return { mark, end, ended: new AbortController().signal };
}

export interface Waiting {
  readonly clock: Clock;
  /** An abort terminates the process group. */
  readonly signal: AbortSignal;
  /** Time between two polls in ms. */
  readonly everyMs: number;
  /** Time in ms for which the process may run after SIGTERM. After this time, the process receives SIGKILL. */
  readonly graceMs: number;
  /** Called at each poll, and once after the exit. */
  readonly onPoll: () => void;
}

/**
 * Waits until the process has exited.
 * @throws the signal's reason after all processes of the group have exited
 */
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

/** Terminates the process group and waits until all of its processes have exited. */
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
 * Polls until the process has exited and returns its result. Returns undefined after `limitMs`, or if `until` aborts while the
 * process still runs.
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
    // The sleep may end early because the process exited, or because of an abort. The next poll determines the reason.
    await clock.sleep(everyMs, until).catch(() => undefined);
  }
}

/** Sends a signal to the process group. A missing group is not an error. */
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
 * Returns the start time of a process. Undefined after the process has exited, or if the system does not report it
 * (proc_pid_stat(5), field 22).
 */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // The operating system still lists zombies, although they have already exited.
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
