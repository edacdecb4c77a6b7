import process from "node:process";
import { fileURLToPath } from "node:url";
import { ImageRegistry } from "@keelson/sim-openshift";
import type { OperatorMode } from "../commands/options.ts";

/** The name of the operator's image, without its tag, as the embedded service deploys it. */
export const operatorImageName = "keelson";

/** What images do in simulated clusters. */
export function imagesOf(mode: OperatorMode): ImageRegistry {
  const images = new ImageRegistry();
  if (mode === "none") return images;
  const program = fileURLToPath(new URL("operator-container.ts", import.meta.url));
  const args = ["--disable-warning=ExperimentalWarning", program];
  images.set(operatorImageName, { process: { command: process.execPath, args } });
  return images;
}
