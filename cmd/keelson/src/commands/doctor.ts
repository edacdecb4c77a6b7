import process from "node:process";
import { systemClock } from "@keelson/base";
import type { ConfigRole } from "@keelson/env";
import { type Command, Option } from "commander";
import type { Finding } from "../doctor/finding.ts";
import { outputOption } from "../options/output-option.ts";
import { addConfigOptions, type ConfigFlags } from "../options/service-flags.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { asInvoked, invokedAs } from "../output/invocation.ts";
import { stopSignal } from "../process/stop-signals.ts";

interface DoctorFlags extends ConfigFlags {
  readonly output: "table" | "json";
  readonly role?: ConfigRole;
}

const roles = ["rp", "maintenance", "monitor", "portal"] satisfies readonly ConfigRole[];

export function addDoctor(root: Command): Command {
  const command = root
    .command("doctor")
    .description("diagnose an installation and suggest fixes")
    .addOption(
      new Option(
        "--role <role>",
        "keelson command that reads the configuration file. Only the fields of this command are required and checked (default: the fields of all commands)",
      ).choices(roles),
    )
    .addOption(outputOption());
  return addConfigOptions(command)
    .addHelpText(
      "after",
      `
Checks the configuration, ports, certificates, disks, clocks, the database with its migrations and encryption keys, and the
service's permissions in Azure. Without --config, also checks the state directory: its lock, its files, and the processes of
"keelson up" that use it. With --role, one machine needs only the fields and files of its own process. The gateway has a separate
configuration: use "keelson config check FILE --role gateway".
The command changes nothing.
The exit code is 1 if a check failed, and 0 if there are only warnings.`,
    )
    .addHelpText(
      "after",
      "\nExamples:\n  keelson doctor\n  keelson doctor --config /etc/keelson/service.json -o json\n  keelson doctor --config /etc/keelson/portal.json --role portal",
    )
    .action(run);
}

const marks = { ok: "ok      ", warning: "warning ", failed: "FAILED  ", skipped: "skipped " } as const;

async function run({ output, role, ...flags }: DoctorFlags): Promise<void> {
  const { examineInstallation } = await import("../doctor/run-doctor.ts");
  const findings = await examineInstallation(flags, {
    clock: systemClock,
    role,
    signal: stopSignal(() => undefined),
  });
  process.stdout.write(
    output === "json" ? `${JSON.stringify({ findings })}\n` : asInvoked(findings.map(lineOf).join("")),
  );
  const count = findings.filter(({ status }) => status === "failed").length;
  if (count > 0)
    throw cliErrors.InstallationUnwell(count === 1 ? "one check failed" : `${count} checks failed`);
}

function lineOf({ check, status, summary, remedy, command }: Finding): string {
  const below = [remedy, command === undefined ? undefined : `$ ${asCommand(command)}`];
  const lines = below.flatMap((each) => (each === undefined ? [] : [`${" ".repeat(10)}${each}\n`]));
  return `${marks[status]}${check}: ${summary}\n${lines.join("")}`;
}

function asCommand(command: string): string {
  return command.replace(/^keelson /, `${invokedAs()} `);
}
