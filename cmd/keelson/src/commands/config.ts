import { resolve } from "node:path";
import process from "node:process";
import { Argument, type Command, Option } from "commander";
import { outputOption } from "../options/output-option.ts";
import { cliErrors } from "../output/cli-errors.ts";

const roles = ["rp", "maintenance", "monitor", "portal", "gateway"] as const;
type ConfigRole = (typeof roles)[number];

interface CheckFlags {
  readonly role: ConfigRole;
  readonly output: "table" | "json";
}

/** `keelson config ...`: checks configuration files and prints their schema. */
export function addConfig(root: Command): Command {
  const config = root
    .command("config")
    .description("validate configuration files, or print their JSON Schema");
  config
    .command("check")
    .description("print all errors of a configuration file")
    .addArgument(
      new Argument("<file>", "configuration file, JSON").argParser((text: string) => resolve(text)),
    )
    .addOption(roleOption())
    .addOption(outputOption())
    .addHelpText(
      "after",
      "\nThe exit code is 1 if the file has an error. If the file has a newer schema version than this program, unknown fields are ignored and reported as warnings. The command opens no database and changes nothing.\n\nExamples:\n  keelson config check service.json\n  keelson config check gateway.json --role gateway",
    )
    .action(check);
  config
    .command("schema")
    .description("print the JSON Schema of a configuration file, for example for an editor")
    .addOption(roleOption())
    .addHelpText("after", "\nExample: keelson config schema >service.schema.json")
    .action(printSchema);
  return config;
}

function roleOption(): Option {
  return new Option("--role <role>", "keelson command that reads the configuration file")
    .choices(roles)
    .default("rp");
}

async function check(file: string, { role, output }: CheckFlags): Promise<void> {
  const checked = await checkConfigFile(file, role);
  const { faults } = checked;
  process.stdout.write(output === "json" ? `${JSON.stringify(checked)}\n` : checkReport(checked));
  if (faults.length > 0)
    throw cliErrors.ConfigInvalid(
      `${file} has ${faults.length} ${faults.length === 1 ? "fault" : "faults"}; docs/configuration.md describes each field`,
    );
}

/** Result of `keelson config check`. */
interface CheckedFile {
  readonly file: string;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Returns the faults and warnings of a configuration file.
 * @throws InvalidConfiguration if the file does not contain a JSON object
 */
export async function checkConfigFile(file: string, role: ConfigRole): Promise<CheckedFile> {
  const { checkGatewayConfig, checkRoleConfig, checkServiceConfig, keyFaults, readObject } = await import(
    "@keelson/env"
  );
  const { programInstallerKinds: kinds } = await import("../configuration/installer-kinds.ts");
  const value = readObject(file);
  const checks: Partial<Record<ConfigRole, typeof checkRoleConfig>> = {
    gateway: checkGatewayConfig,
    rp: checkServiceConfig,
  };
  const { faults, warnings } = (checks[role] ?? checkRoleConfig)(value, kinds);
  return { file, faults: [...faults, ...keyFaults(value)], warnings };
}

/** Formats the result for people: one fault or warning in each line. */
export function checkReport({ file, faults, warnings }: CheckedFile): string {
  const result = faults.length === 0 ? [`${file} is valid`] : faults;
  return [...result, ...warnings.map((each) => `warning: ${each}`)].map((line) => `${line}\n`).join("");
}

async function printSchema({ role }: Pick<CheckFlags, "role">): Promise<void> {
  const { configSchema } = await import("../configuration/config-schema.ts");
  process.stdout.write(`${JSON.stringify(configSchema(role), null, 2)}\n`);
}
