import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Logger } from "@keelson/base";
import { ImageRegistry, type ProcessImage, SharedProcess } from "@keelson/sim-openshift";
import type { OperatorMode } from "../commands/options.ts";
import { compileCache } from "../compile-cache.ts";

/** The name of the operator's image, without its tag, as the embedded service deploys it. */
export const operatorImageName = "keelson";

/** As processes, the operators of one cluster take nearly 400 MB. */
const maxClustersWithProcesses = 3;

/** What images do in simulated clusters; disposal ends what runs for all of them. `clusterCount`: how many there are now. */
export function operatorImages(
  mode: OperatorMode,
  logger: Logger,
  clusterCount: () => number,
): { readonly images: ImageRegistry } & AsyncDisposable {
  const images = new ImageRegistry();
  const command = process.execPath;
  const env = { NODE_COMPILE_CACHE: compileCache };
  const argsOf = (file: string) => [
    "--disable-warning=ExperimentalWarning",
    fileURLToPath(new URL(file, import.meta.url)),
  ];
  const own: ProcessImage = { command, args: argsOf("operator-container.ts"), env };
  // Operators are idle most of the time: what a larger space for new objects saves is not worth its 30 MB, nor what a heap
  // that grows by half before it is collected saves that half. Pods that run as processes have their own in their environment.
  const args = ["--max-semi-space-size=2", "--heap-growing-percent=20", ...argsOf("operator-host.ts")];
  const shared = new SharedProcess({ command, args, env, logger: logger.child({ component: "operators" }) });
  const beside: ProcessImage = { command, args, shared };
  if (mode !== "none")
    images.set(operatorImageName, {
      process: () => {
        if (mode !== "auto") return mode === "shared" ? beside : own;
        return clusterCount() > maxClustersWithProcesses ? beside : own;
      },
    });
  return { images, [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose]() };
}
