import { extname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Logger } from "@keelson/base";
import { frugalMalloc } from "@keelson/base";
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
import { heapOptions } from "../supervisor/heap-limits.ts";
import { admitCommand } from "./admit-command.ts";
import { processOwners } from "./process-owners.ts";

/** Name of the operator's image in the embedded service, without the tag. */
export const operatorImageName = "keelson";

export interface OperatorImagesOptions {
  readonly mode: OperatorMode;
  /** Result of unknown programs in pods that run to completion. Default: exit code 0. */
  readonly unknownPrograms?: UnknownPrograms;
  /** Allow list of pods that run as processes. Default: the operators' pods. */
  readonly owners?: readonly ProcessOwner[];
  /** Logger of the process that runs all operators. */
  readonly logger: Logger;
  /** Called after each state change of the process that runs all operators. */
  readonly changed?: (state: SharedProcessState) => void;
  /** Number of processes that run operators and share the memory of the machine. Default: 1. */
  readonly processes?: number;
}

/** Returns the images that simulated clusters run. Disposal stops the process that runs all operators. */
export function operatorImages({
  mode,
  unknownPrograms = "exit0",
  owners = processOwners,
  logger,
  changed = () => undefined,
  processes = 1,
}: OperatorImagesOptions): { readonly images: ImageRegistry } & AsyncDisposable {
  const images = new ImageRegistry({ unknownPrograms });
  const command = process.execPath;
  const env = { NODE_COMPILE_CACHE: compileCache, ...frugalMalloc };
  const allowed = { owners, admit: admitCommand };
  const argsOf = (name: string) => [
    "--disable-warning=ExperimentalWarning",
    fileURLToPath(new URL(`programs/${name}${extname(import.meta.url)}`, import.meta.url)),
  ];
  const own: ProcessImage = {
    command,
    args: argsOf("operator-container"),
    env,
    ...allowed,
  };
  // Operators are mostly idle, so the heap options favor little memory over speed. A larger young generation costs 30 MB. With
  // V8's default growth, half of the heap would be unused. Operators in separate processes have different options.
  const args = [
    ...heapOptions("operators", { processes }),
    "--max-semi-space-size=2",
    "--heap-growing-percent=20",
    // Passes on the inspector port of this process, because all processes of an instance use the same port. A second instance on
    // this machine needs a different port.
    ...process.execArgv.filter((each) => each.startsWith("--inspect-port=")),
    ...argsOf("operator-host"),
  ];
  const shared = new SharedProcess({
    command,
    args,
    env,
    changed,
    logger: logger.child({ component: "operators" }),
  });
  // Removes the Node.js options of the pod's program, because the options of a running shared process cannot change.
  const admit: ProcessImage["admit"] = (asked) => {
    const found = admitCommand(asked);
    return "args" in found ? { args: found.args } : found;
  };
  const beside: ProcessImage = { command, args, shared, owners, admit };
  if (mode !== "none") images.set(operatorImageName, { process: mode === "process" ? own : beside });
  return { images, [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose]() };
}
