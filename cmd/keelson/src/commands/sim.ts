import process from "node:process";
import { aborted, createLogger, systemClock } from "@keelson/base";
import type { Command } from "commander";
import { fromEmbeddedWorld } from "../embedded-world.ts";
import { portNames } from "../state/ports.ts";
import { stopSignal } from "../stop-signals.ts";
import {
  addPortOptions,
  logLevelOption,
  type OperatorMode,
  operatorsOption,
  type PortFlags,
  parsePort,
  portChoice,
  stateOption,
  subnetsOption,
} from "./options.ts";
import { addSimAudit } from "./sim-audit.ts";
import { addSimClock } from "./sim-clock.ts";
import { addSimFaults } from "./sim-faults.ts";

interface SimFlags extends PortFlags {
  readonly state: string;
  readonly subnetsFor: readonly string[];
  readonly operators: OperatorMode;
  readonly cosmosPort?: number;
  readonly logLevel: string;
}

export function addSim(root: Command): Command {
  const command = root
    .command("sim")
    .description("run the simulated world alone: Azure, and the clusters that its machines form")
    .argument("[part]", '"azure" for the simulated Azure only, "clusters" for both', "clusters")
    .addOption(stateOption())
    .addOption(subnetsOption())
    .addOption(operatorsOption())
    .addOption(logLevelOption())
    .option(
      "--cosmos-port <n>",
      "also run an account of Cosmos DB, in memory, in which `keelson rp` then keeps its documents",
      parsePort,
    )
    .addHelpText(
      "after",
      "\nWrites service.json for `keelson rp --state DIR`. SIGTERM ends it; its state stays on disk.",
    )
    .action(run)
    // Its options are its own: those after a command of `sim` are that command's.
    .enablePositionalOptions();
  addSimFaults(command);
  addSimClock(command);
  addSimAudit(command);
  return addPortOptions(command, portNames);
}

async function run(part: string, flags: SimFlags, command: Command): Promise<void> {
  if (part !== "azure" && part !== "clusters")
    command.error(`error: unknown part "${part}": azure or clusters`);
  const { MachineConnections, openState, publish, seedNetwork, startAzure, startClusters, startCosmos } =
    await fromEmbeddedWorld(() => import("../world/parts.ts"));
  const logger = createLogger({ level: flags.logLevel });
  const signal = stopSignal(() => logger.info("stopping"));
  await using stack = new AsyncDisposableStack();
  const state = stack.use(
    await openState(flags.state, portChoice(flags), part === "azure" ? ["azure"] : undefined),
  );
  const deps = { ...state, machines: new MachineConnections(), clock: systemClock, logger };
  const azure = stack.use(await startAzure(deps));
  const cosmos =
    flags.cosmosPort === undefined ? undefined : stack.use(await startCosmos(deps, azure, flags.cosmosPort));
  if (part === "clusters") stack.use(await startClusters(deps, flags.operators));
  const { endpoints } = publish(state, cosmos?.database);
  const caPem = state.local.authority.certificatePem;
  await seedNetwork(endpoints.arm, caPem, state.identity, flags.subnetsFor, logger, signal);
  process.stdout.write(`${JSON.stringify({ arm: endpoints.arm, clusters: endpoints.clusters })}\n`);
  await aborted(signal);
}
