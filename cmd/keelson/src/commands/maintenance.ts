import process from "node:process";
import { aborted, createLogger, systemClock } from "@keelson/base";
import type { Command } from "commander";
import { addServiceOptions, roleConfigSource, type ServiceFlags } from "../options/service-flags.ts";
import { stopSignal } from "../process/stop-signals.ts";
import type { MaintenanceRole } from "../roles/maintenance.ts";

const roles: Readonly<Record<MaintenanceRole, string>> = {
  actuator: "execute due maintenance manifests. A manifest is a planned maintenance task for one cluster",
  scheduler: "create maintenance manifests (planned tasks for one cluster) from maintenance schedules",
};

export function addMaintenance(root: Command): Command {
  const command = root
    .command("maintenance")
    .description("run planned maintenance of clusters. Several instances can run with the same database");
  for (const role of ["actuator", "scheduler"] as const) {
    addServiceOptions(command.command(role).description(roles[role]))
      .addHelpText("after", "The metrics port serves GET /healthz/ready.")
      .addHelpText("after", `\nExample:\n  keelson maintenance ${role} --config /etc/keelson/service.json`)
      .action((flags: ServiceFlags) => run(role, flags))
      .copyInheritedSettings(root);
  }
  return command;
}

async function run(role: MaintenanceRole, flags: ServiceFlags): Promise<void> {
  const { startMaintenance } = await import("../roles/maintenance.ts");
  const logger = createLogger({ level: flags.logLevel });
  const source = roleConfigSource(flags, logger);
  const config = await source.read();
  const signal = stopSignal(() => logger.info("draining"));
  await using maintenance = await startMaintenance({
    role,
    config,
    source,
    clock: systemClock,
    logger,
    signal,
  });
  process.stdout.write(`${JSON.stringify({ metrics: maintenance.metricsUrl })}\n`);
  await aborted(signal);
}
