import process from "node:process";
import { Command, CommanderError } from "commander";
import { versionText } from "./commands/version.ts";
import { notifyStarter } from "./instance/detached-start.ts";
import { failureText } from "./output/failure-text.ts";
import { asInvoked } from "./output/invocation.ts";
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
    process.stderr.write(`keelson: ${asInvoked(text)}\n`);
    notifyStarter({ failure: text });
    return 1;
  }
}

type LoadCommand = () => Promise<(root: Command) => Command>;

/**
 * Commands by group and name, in the order of the help. Each command is a file in `commands/` that imports its dependencies when
 * it runs.
 */
const groups: Readonly<Record<string, Readonly<Record<string, LoadCommand>>>> = {
  Run: {
    up: async () => (await import("./commands/up.ts")).addUp,
    status: async () => (await import("./commands/status.ts")).addStatus,
    down: async () => (await import("./commands/down.ts")).addDown,
    component: async () => (await import("./commands/component.ts")).addComponent,
    sim: async () => (await import("./commands/sim.ts")).addSim,
    kubeconfig: async () => (await import("./commands/kubeconfig.ts")).addKubeconfig,
    "az-env": async () => (await import("./commands/az-env.ts")).addAzEnv,
  },
  Clusters: {
    cluster: async () => (await import("./commands/cluster.ts")).addCluster,
  },
  Operate: {
    rp: async () => (await import("./commands/rp.ts")).addRp,
    maintenance: async () => (await import("./commands/maintenance.ts")).addMaintenance,
    monitor: async () => (await import("./commands/monitor.ts")).addMonitor,
    portal: async () => (await import("./commands/portal.ts")).addPortal,
    gateway: async () => (await import("./commands/gateway.ts")).addGateway,
    mirror: async () => (await import("./commands/mirror.ts")).addMirror,
    proxy: async () => (await import("./commands/proxy.ts")).addProxy,
    config: async () => (await import("./commands/config.ts")).addConfig,
    migrate: async () => (await import("./commands/migrate.ts")).addMigrate,
    "update-versions": async () => (await import("./commands/update-versions.ts")).addUpdateVersions,
    "update-role-sets": async () => (await import("./commands/update-role-sets.ts")).addUpdateRoleSets,
    deploy: async () => (await import("./commands/deploy.ts")).addDeploy,
    "host-config": async () => (await import("./commands/host-config.ts")).addHostConfig,
    doctor: async () => (await import("./commands/doctor.ts")).addDoctor,
    "support-bundle": async () => (await import("./commands/support-bundle.ts")).addSupportBundle,
    db: async () => (await import("./commands/db.ts")).addDb,
    aead: async () => (await import("./commands/aead.ts")).addAead,
    portalauth: async () => (await import("./commands/portalauth.ts")).addPortalAuth,
    operator: async () => (await import("./commands/operator.ts")).addOperator,
    "samples-operator": async () => (await import("./commands/samples-operator.ts")).addSamplesOperator,
    "kube-apiserver-operator": async () =>
      (await import("./commands/kube-apiserver-operator.ts")).addKubeApiserverOperator,
  },
  Develop: {
    clean: async () => (await import("./commands/clean.ts")).addClean,
    genkey: async () => (await import("./commands/genkey.ts")).addGenkey,
    swagger: async () => (await import("./commands/swagger.ts")).addSwagger,
    samples: async () => (await import("./commands/samples.ts")).addSamples,
    completion: async () => (await import("./commands/completion.ts")).completionOf(fullProgram),
    version: async () => (await import("./commands/version.ts")).addVersion,
  },
};

/** Commands by name. */
export const commands: Readonly<Record<string, LoadCommand>> = Object.assign({}, ...Object.values(groups));

/** Returns the command line with all commands. */
export function fullProgram(): Promise<Command> {
  return program([]);
}

/**
 * Builds the command line with only the requested command. Builds all commands if the name is unknown, so that the help is
 * complete.
 */
async function program([name = ""]: readonly string[]): Promise<Command> {
  const root = new Command("keelson")
    .description("Managed OpenShift service, compatible with Azure Red Hat OpenShift")
    .version(versionText(), "--version", "print the version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => process.stdout.write(asInvoked(text)),
      writeErr: (text) => process.stderr.write(asInvoked(text)),
    })
    .enablePositionalOptions()
    .showHelpAfterError('run "keelson --help" or "keelson COMMAND --help"')
    .configureHelp({ sortSubcommands: false });
  const isCommand = Object.hasOwn(commands, name);
  for (const [group, members] of Object.entries(groups))
    for (const [each, load] of Object.entries(members))
      if (!isCommand || each === name)
        (await load())(root).copyInheritedSettings(root).helpGroup(`${group}:`);
  return root;
}
