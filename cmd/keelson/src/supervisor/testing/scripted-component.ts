/** Test component for the supervisor's tests. It serves after its start. Its argument selects a failure. */
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { type ComponentName, componentNames } from "../component.ts";
import { runComponent } from "../run-component.ts";

const [name, mode] = process.argv.slice(2);
const component: ComponentName = componentNames.find((each) => each === name) ?? "azure";

let warmDirectory: string | undefined;
await runComponent(component, async () => ({
  async warm({ directory }) {
    warmDirectory = directory;
  },
  async start({ report, settings }) {
    if (mode === "fail") throw new Error("no space left");
    if (mode === "exit") void delay(50).then(() => process.exit(7));
    if (warmDirectory === settings.directory) report("warm");
    return { [Symbol.asyncDispose]: () => Promise.resolve() };
  },
})).catch(() => {
  process.exitCode = 1;
});
