import { type Command, InvalidArgumentError } from "commander";
import { stateOption } from "../options/options.ts";
import {
  type ComponentName,
  type ComponentRef,
  componentNames,
  parseProcessName,
  processName,
} from "../supervisor/component.ts";
import { type LoadComponent, runComponent } from "../supervisor/run-component.ts";

const loads: Readonly<Record<ComponentName, (number: number) => LoadComponent>> = {
  azure: () => async () => (await import("../world/components/azure.ts")).openAzureComponent,
  clusters: (number) => async () => {
    const { openClustersComponent } = await import("../world/components/clusters.ts");
    return (deps) => openClustersComponent(deps, number);
  },
  service: () => async () => (await import("../world/components/service.ts")).openServiceComponent,
};

/** `keelson component NAME`: runs one component of `keelson up` as a process. */
export function addComponent(root: Command): Command {
  return root
    .command("component", { hidden: true })
    .description('internal command: "keelson up" uses it to run one of its components')
    .argument("<name>", `component process: ${names}`, parseComponent)
    .addOption(stateOption())
    .addHelpText("after", "\nExample:\n  keelson component service --state /tmp/try")
    .action(({ component, number }: ComponentRef) =>
      runComponent(processName(component, number), loads[component](number)),
    );
}

const names = `${componentNames.join(", ")}, or clusters-N for process N of the simulated clusters`;

function parseComponent(text: string): ComponentRef {
  const found = parseProcessName(text);
  if (found === undefined) throw new InvalidArgumentError(`expected ${names}, for example "azure".`);
  return found;
}
