import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type Command, Option } from "commander";
import { stateOption } from "../options/options.ts";
import { asInvoked } from "../output/invocation.ts";
import { quoted } from "../output/shell-word.ts";
import { embedded } from "../state/embedded-defaults.ts";
import { type Endpoints, readEndpoints } from "../state/endpoints.ts";

export function addAzEnv(root: Command): Command {
  return root
    .command("az-env")
    .description("print shell commands that configure az and Azure SDKs for the simulated Azure")
    .addOption(stateOption())
    .addOption(
      new Option("-o, --output <format>", "output format: shell commands (exports) or variables (json)")
        .choices(["exports", "json"])
        .default("exports"),
    )
    .addOption(
      new Option(
        "--unset",
        "print shell commands that remove the configuration for the simulated Azure",
      ).conflicts("output"),
    )
    .addHelpText(
      "after",
      '\nExamples:\n  eval "$(keelson az-env)"          use the simulated Azure in this shell\n' +
        '  eval "$(keelson az-env --unset)"  stop using the simulated Azure in this shell\n',
    )
    .action(({ state, output, unset }: AzEnvOptions) => {
      if (unset) {
        process.stdout.write(unsetCommand());
        return;
      }
      const endpoints = readEndpoints(state);
      const config = join(state, "azure-cli");
      mkdirSync(config, { recursive: true, mode: 0o700 });
      const variables = azureVariables(endpoints, config);
      process.stdout.write(output === "json" ? `${JSON.stringify(variables)}\n` : exportsOf(variables));
      if (output === "exports") process.stderr.write(asInvoked(effects(variables)));
    });
}

interface AzEnvOptions {
  readonly state: string;
  readonly output: "exports" | "json";
  readonly unset?: true;
}

/**
 * Describes the effects of the variables. The description is printed to standard error, because standard output contains only
 * commands for `eval`.
 */
function effects(variables: Readonly<Record<string, string>>): string {
  return (
    `Sets ${Object.keys(variables).join(", ")}.\n` +
    `HTTPS goes to the simulated Azure by ${variables.HTTPS_PROXY}. Other hosts are unreachable with these variables.\n` +
    'To undo it: eval "$(keelson az-env --unset)"\n'
  );
}

/**
 * Returns the `unset` command for `eval`, with the names of all variables that `az-env` sets. It works even if the service is not
 * running.
 */
export function unsetCommand(): string {
  const nowhere = { subscriptionId: "", tenantId: "", clientId: "", clientSecret: "", login: "" };
  const places = { proxy: "", caFile: "", arm: "", location: "" };
  return `unset ${Object.keys(azureVariables({ ...nowhere, ...places }, "")).join(" ")}\n`;
}

type AzureEndpoints = Pick<
  Endpoints,
  | "subscriptionId"
  | "tenantId"
  | "clientId"
  | "clientSecret"
  | "login"
  | "proxy"
  | "caFile"
  | "arm"
  | "location"
>;

/** Returns the environment variables for Azure clients. `config` is the directory in which `az` stores its sign-ins. */
export function azureVariables(endpoints: AzureEndpoints, config: string): Readonly<Record<string, string>> {
  return {
    AZURE_SUBSCRIPTION_ID: endpoints.subscriptionId,
    AZURE_TENANT_ID: endpoints.tenantId,
    AZURE_CLIENT_ID: endpoints.clientId,
    AZURE_CLIENT_SECRET: endpoints.clientSecret,
    AZURE_AUTHORITY_HOST: endpoints.login,
    ...proxied(endpoints.proxy),
    NODE_EXTRA_CA_CERTS: endpoints.caFile,
    REQUESTS_CA_BUNDLE: endpoints.caFile,
    SSL_CERT_FILE: endpoints.caFile,
    ...azSettings,
    AZURE_CONFIG_DIR: config,
    ARM_ENDPOINT: endpoints.arm,
    LOCATION: endpoints.location,
    VNET_RESOURCEGROUP: embedded.networkResourceGroup,
  };
}

/** Returns the export commands for `eval` in a POSIX shell. */
export function exportsOf(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${quoted(value)}\n`)
    .join("");
}

/**
 * Returns proxy variables for clients that use Azure's public host names. Connections to this machine bypass the proxy. Sets both
 * `https_proxy` and `HTTPS_PROXY`, because some clients read only one of them.
 */
function proxied(proxy: string): Record<string, string> {
  const here = "localhost,.localhost,127.0.0.1,::1";
  return { HTTPS_PROXY: proxy, https_proxy: proxy, NO_PROXY: here, no_proxy: here };
}

/**
 * Disables the telemetry of `az`. Also prevents `az` from requesting cloud metadata from Microsoft (instance discovery). Warnings
 * stay enabled, because some commands print their results as warnings.
 */
const azSettings = {
  AZURE_CORE_COLLECT_TELEMETRY: "false",
  AZURE_CORE_INSTANCE_DISCOVERY: "false",
};
