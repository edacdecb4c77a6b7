import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Logger } from "@keelson/base";
import {
  ImageRegistry,
  type ProcessImage,
  type ProcessOwner,
  SharedProcess,
  type SharedProcessState,
  type UnknownPrograms,
} from "@keelson/sim-openshift";
import type { OperatorMode } from "../options/options.ts";
import { compileCache } from "../process/compile-cache.ts";
import { frugalMalloc } from "../process/frugal-malloc.ts";
import { heapOptions } from "../supervisor/heap-limits.ts";
import { admitCommand } from "./admit-command.ts";
import { processOwners } from "./process-owners.ts";

/** The name of the operator's image, without its tag, as the embedded service deploys it. */
export const operatorImageName = "keelson";

export interface OperatorImagesOptions {
  readonly mode: OperatorMode;
  /** Effect of unknown programs in pods that should end. Default: exit code 0. */
  readonly unknownPrograms?: UnknownPrograms;
  /** Allow list of pods that run as processes. Default: those of the operators. */
  readonly owners?: readonly ProcessOwner[];
  /** Logger of the process that operators share. */
  readonly logger: Logger;
  /** Called after each change of the state of that process. */
  readonly changed?: (state: SharedProcessState) => void;
}

/** Images of simulated clusters. Disposal stops the process that operators share. */
export function operatorImages({
  mode,
  unknownPrograms = "exit0",
  owners = processOwners,
  logger,
  changed = () => undefined,
}: OperatorImagesOptions): { readonly images: ImageRegistry } & AsyncDisposable {
  const images = new ImageRegistry({ unknownPrograms });
  const command = process.execPath;
  const env = { NODE_COMPILE_CACHE: compileCache, ...frugalMalloc };
  const allowed = { owners, admit: admitCommand };
  const argsOf = (file: string) => [
    "--disable-warning=ExperimentalWarning",
    fileURLToPath(new URL(file, import.meta.url)),
  ];
  const own: ProcessImage = {
    command,
    args: argsOf("programs/operator-container.ts"),
    env,
    ...allowed,
  };
  // Operators are idle most of the time. A larger young generation costs 30 MB, and a heap that grows by half before a
  // collection costs that half. Separate processes have options of their programs.
  const args = [
    ...heapOptions("operators"),
    "--max-semi-space-size=2",
    "--heap-growing-percent=20",
    // The inspector of every process listens at the same port, which differs between two instances on one machine.
    ...process.execArgv.filter((each) => each.startsWith("--inspect-port=")),
    ...argsOf("programs/operator-host.ts"),
  ];
  const shared = new SharedProcess({
    command,
    args,
    env,
    changed,
    logger: logger.child({ component: "operators" }),
  });
  // Options of Node.js are the shared process's own.
  const admit: ProcessImage["admit"] = (asked) => {
    const found = admitCommand(asked);
    return "args" in found ? { args: found.args } : found;
  };
  const beside: ProcessImage = { command, args, shared, owners, admit };
  if (mode !== "none") images.set(operatorImageName, { process: mode === "process" ? own : beside });
  return { images, [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose]() };
}
