/** Test component for the supervisor's tests. It serves after its start. Its argument selects a failure. */
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { type ComponentName, componentNames } from "../component.ts";
import { runComponent } from "../run-component.ts";

const [name, mode] = process.argv.slice(2);
const component: ComponentName = componentNames.find((each) => each === name) ?? "azure";

const opened: string[] = [];
await runComponent(component, async () => async ({ world, settings }) => {
  opened.push(world === settings.directory ? "the state directory" : world);
  if (mode === "fail") throw new Error("no space left");
  return {
    async serve({ dependencies, report }) {
      report(`opened ${opened.join()}`);
      await dependencies;
      if (mode === "exit") void delay(50).then(() => process.exit(7));
      return { [Symbol.asyncDispose]: () => Promise.resolve() };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}).catch(() => {
  process.exitCode = 1;
});
