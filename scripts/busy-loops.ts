import { spawn } from "node:child_process";

/** Starts processes that use all available CPU time. Disposal stops them. */
export function startBusyLoops(count: number): Disposable {
  const loops = Array.from({ length: count }, () =>
    spawn("sh", ["-c", "while :; do :; done"], { stdio: "ignore" }),
  );
  return {
    [Symbol.dispose]() {
      for (const loop of loops) loop.kill("SIGKILL");
    },
  };
}
