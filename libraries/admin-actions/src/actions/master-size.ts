import { checkMasterSize, masterSizes } from "../azure/machine-sizes.ts";
import { required, text } from "./action-parameter.ts";

/** Parameter for the virtual machine size of the masters. */
export const masterSize = { ...required(text("vmSize", checkMasterSize)), allowed: masterSizes };
