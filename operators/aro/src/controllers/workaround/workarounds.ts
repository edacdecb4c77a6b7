import { copyFail } from "./copy-fail.ts";
import { dirtyFrag } from "./dirty-frag.ts";
import { systemReserved } from "./system-reserved.ts";
import type { Workaround } from "./workaround.ts";

export const flag = "aro.workaround.enabled";
export const reportsAs = "Workaround";

export const workarounds: readonly Workaround[] = [systemReserved, copyFail, dirtyFrag];
