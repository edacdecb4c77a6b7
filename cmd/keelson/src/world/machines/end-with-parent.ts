/**
 * Module that Node.js preloads into machine processes. The module makes these processes exit when the simulated world exits, even
 * after a crash.
 */
import process from "node:process";

process.once("disconnect", () => process.exit(137));
process.channel?.unref();
