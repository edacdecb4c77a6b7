import process from "node:process";
import { aborted, createLogger, systemClock } from "@keelson/base";
import type { RoleConfig } from "@keelson/env";
import type { Command } from "commander";
import { parsePort } from "../options/options.ts";
import { addServiceOptions, roleConfigSource, type ServiceFlags } from "../options/service-flags.ts";
import { idleCollection, responsiveHeapBytes } from "../process/idle-collection.ts";
import { stopSignal } from "../process/stop-signals.ts";

interface PortalFlags extends Omit<ServiceFlags, "port"> {
  readonly port?: number;
  readonly sshPort?: number;
}

export function addPortal(root: Command): Command {
  return addServiceOptions(
    root
      .command("portal")
      .description(
        "run the administrators' portal, which provides web pages, kubeconfigs and SSH access to cluster nodes. Several instances can run with the same database",
      )
      .option(
        "--port <n>",
        "HTTPS port, instead of `portal.port` in the configuration; 0 selects a free port",
        parsePort,
      )
      .option(
        "--ssh-port <n>",
        "SSH port, instead of `portal.ssh.listenPort` in the configuration; 0 selects a free port",
        parsePort,
      ),
  )
    .addHelpText(
      "after",
      "\nThe configuration must have the field `portal`. The HTTPS port serves GET /healthz/ready.",
    )
    .addHelpText("after", "\nExample:\n  keelson portal --config /etc/keelson/service.json --port 8445")
    .action(run);
}

async function run({ port, sshPort, ...flags }: PortalFlags): Promise<void> {
  const { startPortalProcess } = await import("../roles/portal.ts");
  const logger = createLogger({ level: flags.logLevel });
  const source = roleConfigSource(flags, logger);
  const read = async () => listeningOn(await source.read(), port, sshPort);
  const config = await read();
  const signal = stopSignal(() => logger.info("draining"));
  await using portal = await startPortalProcess({
    config,
    source: { ...source, read },
    clock: systemClock,
    logger,
    signal,
  });
  process.stdout.write(`${JSON.stringify(portal.place)}\n`);
  using _collection = idleCollection({ maxHeapBytes: responsiveHeapBytes });
  await aborted(signal);
}

function listeningOn(config: RoleConfig, port?: number, sshPort?: number): RoleConfig {
  const { portal } = config;
  if (!portal) return config;
  const ssh = portal.ssh && { ...portal.ssh, listenPort: sshPort ?? portal.ssh.listenPort };
  return { ...config, portal: { ...portal, port: port ?? portal.port, ...(ssh ? { ssh } : {}) } };
}
