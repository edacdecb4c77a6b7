/** Preloaded into the processes of machines: they end with the simulated world, however that ends. */
import process from "node:process";

process.once("disconnect", () => process.exit(137));
process.channel?.unref();
