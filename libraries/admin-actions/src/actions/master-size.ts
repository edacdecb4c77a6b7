import { checkMasterSize, masterSizes } from "../azure/machine-sizes.ts";
import { text } from "./action-parameter.ts";

/** Size of masters. */
export const masterSize = { ...text("vmSize", checkMasterSize), allowed: masterSizes };
