import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Resident memory of a process in bytes. Returns undefined for a process that does not exist. */
export function residentBytes(pid: number): number | undefined {
  const kibibytes = fromProc(pid) ?? fromPs(pid);
  return kibibytes === undefined ? undefined : kibibytes * 1_024;
}

function fromProc(pid: number): number | undefined {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) || undefined;
  } catch {
    return undefined;
  }
}

/** Fallback for systems without `/proc`: runs `ps`. */
function fromPs(pid: number): number | undefined {
  try {
    const stdio = ["ignore", "pipe", "ignore"] as const;
    return (
      Number(execFileSync("ps", ["-o", "rss=", "-p", `${pid}`], { encoding: "utf8", stdio: [...stdio] })) ||
      undefined
    );
  } catch {
    return undefined;
  }
}
