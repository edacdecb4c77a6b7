import process from "node:process";
import { Command, CommanderError } from "commander";
import { addAzEnv } from "./commands/az-env.ts";
import { addDeploy } from "./commands/deploy.ts";
import { addDown } from "./commands/down.ts";
import { addGenkey } from "./commands/genkey.ts";
import { addHostConfig } from "./commands/host-config.ts";
import { addKubeApiserverOperator } from "./commands/kube-apiserver-operator.ts";
import { addKubeconfig } from "./commands/kubeconfig.ts";
import { addMaintenance } from "./commands/maintenance.ts";
import { addMigrate } from "./commands/migrate.ts";
import { addMonitor } from "./commands/monitor.ts";
import { addOperator } from "./commands/operator.ts";
import { addRp } from "./commands/rp.ts";
import { addSamples } from "./commands/samples.ts";
import { addSamplesOperator } from "./commands/samples-operator.ts";
import { addSim } from "./commands/sim.ts";
import { addSwagger } from "./commands/swagger.ts";
import { addUp } from "./commands/up.ts";
import { addVersion, versionText } from "./commands/version.ts";
import { failureText } from "./failure-text.ts";
import { notifyStarter } from "./run-detached.ts";
import { watchStandardStreams } from "./standard-streams.ts";

/** Runs a command line. Returns the exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  watchStandardStreams();
  try {
    await program().parseAsync(argv);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error === "draining") return 130;
    const text = failureText(error);
    process.stderr.write(`keelson: ${text}\n`);
    notifyStarter({ failure: text });
    return 1;
  }
}

/** The command line. Each mode is a file in `commands/` that loads what it needs when it runs. */
function program(): Command {
  const root = new Command("keelson")
    .description("A managed-OpenShift service that anyone can run")
    .version(versionText(), "--version", "print the version")
    .exitOverride()
    .enablePositionalOptions()
    .showHelpAfterError('run "keelson --help" or "keelson COMMAND --help"')
    .configureHelp({ sortSubcommands: false });
  for (const add of [
    addUp,
    addDown,
    addRp,
    addMaintenance,
    addMonitor,
    addMigrate,
    addOperator,
    addSamplesOperator,
    addKubeApiserverOperator,
    addDeploy,
    addHostConfig,
    addSim,
    addKubeconfig,
    addAzEnv,
    addGenkey,
    addSwagger,
    addSamples,
    addVersion,
  ]) {
    add(root).copyInheritedSettings(root);
  }
  return root;
}
