import { type Command, InvalidArgumentError } from "commander";
import { stateOption } from "../options/options.ts";
import { type ComponentName, componentNames } from "../supervisor/component.ts";
import { type LoadComponent, runComponent } from "../supervisor/run-component.ts";

const loads: Readonly<Record<ComponentName, LoadComponent>> = {
  azure: async () => (await import("../world/components/azure.ts")).openAzureComponent,
  clusters: async () => (await import("../world/components/clusters.ts")).openClustersComponent,
  service: async () => (await import("../world/components/service.ts")).openServiceComponent,
};

/** `keelson component NAME`: runs one component of `keelson up` as a process. */
export function addComponent(root: Command): Command {
  return root
    .command("component", { hidden: true })
    .description('internal command: "keelson up" uses it to run one of its components')
    .argument("<name>", `component: ${componentNames.join(", ")}`, parseComponent)
    .addOption(stateOption())
    .addHelpText("after", "\nExample:\n  keelson component service --state /tmp/try")
    .action((name: ComponentName) => runComponent(name, loads[name]));
}

function parseComponent(text: string): ComponentName {
  const found = componentNames.find((name) => name === text);
  if (found === undefined)
    throw new InvalidArgumentError(`expected ${componentNames.join(", ")}, for example "azure".`);
  return found;
}
