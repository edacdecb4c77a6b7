import { messageOf } from "@keelson/base";
import { cliErrors } from "../output/cli-errors.ts";

/**
 * Calls `load`, which imports modules of the simulators or of `world/`, and returns its result. Only source checkouts contain
 * these modules.
 * @throws SimulatorsMissing in the service's container image
 */
export async function fromEmbeddedWorld<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isModuleMissing(error)) throw error;
    throw cliErrors.SimulatorsMissing(
      `this installation holds the service alone, without the simulators that the command needs: run it from a checkout of the sources (${messageOf(error)})`,
      { cause: error },
    );
  }
}

function isModuleMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}
