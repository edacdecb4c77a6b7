import process from "node:process";
import { Command, CommanderError } from "commander";
import { versionText } from "./commands/version.ts";
import { notifyStarter } from "./instance/detached-start.ts";
import { failureText } from "./output/failure-text.ts";
import { watchStandardStreams } from "./process/standard-streams.ts";

/** Runs a command line. Returns the exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  watchStandardStreams();
  try {
    await (await program(argv.slice(2))).parseAsync(argv);
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

/** Commands by name, in the order of the help. Each is a file in `commands/`, which loads what it needs when it runs. */
export const commands: Readonly<Record<string, () => Promise<(root: Command) => Command>>> = {
  up: async () => (await import("./commands/up.ts")).addUp,
  component: async () => (await import("./commands/component.ts")).addComponent,
  status: async () => (await import("./commands/status.ts")).addStatus,
  down: async () => (await import("./commands/down.ts")).addDown,
  rp: async () => (await import("./commands/rp.ts")).addRp,
  maintenance: async () => (await import("./commands/maintenance.ts")).addMaintenance,
  monitor: async () => (await import("./commands/monitor.ts")).addMonitor,
  portal: async () => (await import("./commands/portal.ts")).addPortal,
  gateway: async () => (await import("./commands/gateway.ts")).addGateway,
  proxy: async () => (await import("./commands/proxy.ts")).addProxy,
  mirror: async () => (await import("./commands/mirror.ts")).addMirror,
  migrate: async () => (await import("./commands/migrate.ts")).addMigrate,
  "update-versions": async () => (await import("./commands/update-versions.ts")).addUpdateVersions,
  "update-role-sets": async () => (await import("./commands/update-role-sets.ts")).addUpdateRoleSets,
  operator: async () => (await import("./commands/operator.ts")).addOperator,
  "samples-operator": async () => (await import("./commands/samples-operator.ts")).addSamplesOperator,
  "kube-apiserver-operator": async () =>
    (await import("./commands/kube-apiserver-operator.ts")).addKubeApiserverOperator,
  deploy: async () => (await import("./commands/deploy.ts")).addDeploy,
  "host-config": async () => (await import("./commands/host-config.ts")).addHostConfig,
  sim: async () => (await import("./commands/sim.ts")).addSim,
  kubeconfig: async () => (await import("./commands/kubeconfig.ts")).addKubeconfig,
  "az-env": async () => (await import("./commands/az-env.ts")).addAzEnv,
  doctor: async () => (await import("./commands/doctor.ts")).addDoctor,
  cluster: async () => (await import("./commands/cluster.ts")).addCluster,
  db: async () => (await import("./commands/db.ts")).addDb,
  aead: async () => (await import("./commands/aead.ts")).addAead,
  portalauth: async () => (await import("./commands/portalauth.ts")).addPortalAuth,
  clean: async () => (await import("./commands/clean.ts")).addClean,
  completion: async () => (await import("./commands/completion.ts")).completionOf(fullProgram),
  genkey: async () => (await import("./commands/genkey.ts")).addGenkey,
  swagger: async () => (await import("./commands/swagger.ts")).addSwagger,
  samples: async () => (await import("./commands/samples.ts")).addSamples,
  version: async () => (await import("./commands/version.ts")).addVersion,
};

/** The command line with all of its commands. */
export function fullProgram(): Promise<Command> {
  return program([]);
}

/** The command line, with the one command that is asked for; with all of them for help, and where none is. */
async function program([name = ""]: readonly string[]): Promise<Command> {
  const root = new Command("keelson")
    .description("A managed-OpenShift service that anyone can run")
    .version(versionText(), "--version", "print the version")
    .exitOverride()
    .enablePositionalOptions()
    .showHelpAfterError('run "keelson --help" or "keelson COMMAND --help"')
    .configureHelp({ sortSubcommands: false });
  const asked = Object.hasOwn(commands, name) ? commands[name] : undefined;
  for (const load of asked ? [asked] : Object.values(commands))
    (await load())(root).copyInheritedSettings(root);
  return root;
}
