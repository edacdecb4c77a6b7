import { aborted, createLogger } from "@keelson/base";
import type { Command } from "commander";
import { logLevelOption, parsePort } from "../../options/options.ts";
import { stopSignal } from "../../process/stop-signals.ts";

interface InsecureReadyzFlags {
  readonly host: string;
  readonly insecurePort: number;
  readonly delegateUrl: string;
  readonly logLevel: string;
}

export function addInsecureReadyz(root: Command): Command {
  return root
    .command("insecure-readyz")
    .description("serve the API server's /readyz over plain HTTP, for health probes of load balancers")
    .option("--host <address>", "address to listen on", "0.0.0.0")
    .option("--insecure-port <n>", "port to listen on", parsePort, 6080)
    .option("--delegate-url <url>", "URL of the API server's /readyz", "https://localhost:6443/readyz")
    .addOption(logLevelOption())
    .addHelpText(
      "after",
      "\nExample:\n  keelson kube-apiserver-operator insecure-readyz --insecure-port 6080",
    )
    .action(async ({ host, insecurePort: port, delegateUrl, logLevel }: InsecureReadyzFlags) => {
      const { serveInsecureReadyz } = await import("@keelson/operator-kit");
      const logger = createLogger({ level: logLevel });
      const signal = stopSignal(() => logger.info("stopping"));
      await using served = await serveInsecureReadyz({ host, port, delegateUrl, logger });
      logger.info({ port: served.port, delegateUrl }, "answering /readyz");
      await aborted(signal);
    });
}
