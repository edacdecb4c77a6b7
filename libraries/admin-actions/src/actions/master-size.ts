import { checkMasterSize, masterSizes } from "../azure/machine-sizes.ts";
import { required, text } from "./action-parameter.ts";

/** Size of masters. */
export const masterSize = { ...required(text("vmSize", checkMasterSize)), allowed: masterSizes };
