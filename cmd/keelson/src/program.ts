import { Command } from "commander";
import { addAzEnv } from "./commands/az-env.ts";
import { addDown } from "./commands/down.ts";
import { addGenkey } from "./commands/genkey.ts";
import { addKubeconfig } from "./commands/kubeconfig.ts";
import { addRp } from "./commands/rp.ts";
import { addSim } from "./commands/sim.ts";
import { addUp } from "./commands/up.ts";
import { addVersion } from "./commands/version.ts";

/** The command line. Each mode is a file in `commands/` that loads what it needs when it runs. */
export function program(): Command {
  const root = new Command("keelson")
    .description("A managed-OpenShift service that anyone can run")
    .exitOverride()
    .showHelpAfterError('run "keelson --help" or "keelson COMMAND --help"')
    .configureHelp({ sortSubcommands: false });
  for (const add of [addUp, addDown, addRp, addSim, addKubeconfig, addAzEnv, addGenkey, addVersion]) {
    add(root).copyInheritedSettings(root);
  }
  return root;
}
