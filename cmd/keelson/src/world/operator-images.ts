import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Logger } from "@keelson/base";
import { ImageRegistry, SharedProcess } from "@keelson/sim-openshift";
import type { OperatorMode } from "../commands/options.ts";
import { compileCache } from "../compile-cache.ts";

/** The name of the operator's image, without its tag, as the embedded service deploys it. */
export const operatorImageName = "keelson";

/** What images do in simulated clusters; disposal ends what runs for all of them. */
export function operatorImages(
  mode: OperatorMode,
  logger: Logger,
): { readonly images: ImageRegistry } & AsyncDisposable {
  const images = new ImageRegistry();
  const command = process.execPath;
  const env = { NODE_COMPILE_CACHE: compileCache };
  const argsOf = (file: string) => [
    "--disable-warning=ExperimentalWarning",
    fileURLToPath(new URL(file, import.meta.url)),
  ];
  const nothing = { images, [Symbol.asyncDispose]: async () => undefined };
  if (mode === "none") return nothing;
  if (mode === "process") {
    images.set(operatorImageName, { process: { command, args: argsOf("operator-container.ts"), env } });
    return nothing;
  }
  // Operators rest most of the time: what a larger space for new objects saves is not worth its 30 MB. Pods that run as
  // processes have their own in their environment.
  const args = ["--max-semi-space-size=4", ...argsOf("operator-host.ts")];
  const shared = new SharedProcess({ command, args, env, logger: logger.child({ component: "operators" }) });
  images.set(operatorImageName, { process: { command, args, shared } });
  return { images, [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose]() };
}
