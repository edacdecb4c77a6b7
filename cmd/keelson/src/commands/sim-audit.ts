import process from "node:process";
import { timeLimit } from "@keelson/base";
import type { Command } from "commander";
import { fromEmbeddedWorld } from "../configuration/embedded-world.ts";
import { stateOption } from "../options/options.ts";
import { outputOption } from "../options/output-option.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { tableOf } from "../output/table.ts";
import { RpClient } from "../rp-client/rp-client.ts";
import { SimAzureClient } from "../sim-client/sim-azure-client.ts";
import { readEndpoints } from "../state/endpoints.ts";
import { readIdentity } from "../state/identity.ts";

const timeoutMs = 120_000;

/** `keelson sim audit`: compares the resources of the simulated Azure with the service's clusters. */
export function addSimAudit(sim: Command): void {
  sim
    .command("audit")
    .description("list orphaned resources in the simulated Azure, and missing resources of clusters")
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText("after", "\nThe exit code is 1 if a resource is orphaned or missing.")
    .addHelpText("after", "\nExample:\n  keelson sim audit -o json")
    .action(async ({ state, output }: { readonly state: string; readonly output: "table" | "json" }) => {
      const { auditWorld } = await fromEmbeddedWorld(() => import("../world/audit-world.ts"));
      const endpoints = readEndpoints(state);
      await using azure = new SimAzureClient(endpoints, readIdentity(state).adminToken);
      await using service = new RpClient(endpoints);
      const findings = await auditWorld(azure, service, timeLimit(timeoutMs));
      const rows = findings.map(({ kind, id, message }) => [kind, id, message]);
      process.stdout.write(
        output === "json"
          ? `${JSON.stringify(findings)}\n`
          : rows.length === 0
            ? "no findings\n"
            : tableOf([["KIND", "ID", "WHY"], ...rows]),
      );
      if (findings.length > 0) {
        throw cliErrors.AuditFailed(
          `Azure and the clusters of the service differ: ${findings.length} findings`,
        );
      }
    });
}
