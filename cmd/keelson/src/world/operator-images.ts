import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Logger } from "@keelson/base";
import { ImageRegistry, type ProcessImage, type ProcessOwner, SharedProcess } from "@keelson/sim-openshift";
import type { OperatorMode } from "../commands/options.ts";
import { compileCache } from "../compile-cache.ts";
import { admitCommand } from "./admit-command.ts";
import { processOwners } from "./process-owners.ts";

/** The name of the operator's image, without its tag, as the embedded service deploys it. */
export const operatorImageName = "keelson";

/** As processes, the operators of one cluster take nearly 400 MB. */
const maxClustersWithProcesses = 3;

/** One arena of glibc's malloc for all threads, whose free end returns to the system. */
const frugalMalloc = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "65536" };

/**
 * Images of simulated clusters. Disposal ends the process that operators share. `clusterCount` returns the number of
 * clusters. `owners` is the allow list of pods that run as processes.
 */
export function operatorImages(
  mode: OperatorMode,
  logger: Logger,
  clusterCount: () => number,
  owners: readonly ProcessOwner[] = processOwners,
): { readonly images: ImageRegistry } & AsyncDisposable {
  const images = new ImageRegistry();
  const command = process.execPath;
  const env = { NODE_COMPILE_CACHE: compileCache };
  const allowed = { owners, admit: admitCommand };
  const argsOf = (file: string) => [
    "--disable-warning=ExperimentalWarning",
    fileURLToPath(new URL(file, import.meta.url)),
  ];
  const own: ProcessImage = {
    command,
    args: argsOf("operator-container.ts"),
    env: { ...env, ...frugalMalloc },
    ...allowed,
  };
  // Operators are idle most of the time. A larger young generation costs 30 MB, and a heap that grows by half before a
  // collection costs that half. Separate processes have options of their programs.
  const args = ["--max-semi-space-size=2", "--heap-growing-percent=20", ...argsOf("operator-host.ts")];
  const shared = new SharedProcess({ command, args, env, logger: logger.child({ component: "operators" }) });
  // Options of Node.js are the shared process's own.
  const admit: ProcessImage["admit"] = (asked) => {
    const found = admitCommand(asked);
    return "args" in found ? { args: found.args } : found;
  };
  const beside: ProcessImage = { command, args, shared, owners, admit };
  if (mode !== "none")
    images.set(operatorImageName, {
      process: () => {
        if (mode !== "auto") return mode === "shared" ? beside : own;
        return clusterCount() > maxClustersWithProcesses ? beside : own;
      },
    });
  return { images, [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose]() };
}
