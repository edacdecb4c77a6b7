import process from "node:process";
import type { Command } from "commander";
import { readEndpoints } from "../state/endpoints.ts";
import { embedded } from "../world/embedded-defaults.ts";
import { stateOption } from "./options.ts";

export function addAzEnv(root: Command): Command {
  return root
    .command("az-env")
    .description('print shell exports with who and where you are: eval "$(keelson az-env)"')
    .addOption(stateOption())
    .action(({ state }: { state: string }) => {
      const endpoints = readEndpoints(state);
      const variables = {
        AZURE_SUBSCRIPTION_ID: endpoints.subscriptionId,
        AZURE_TENANT_ID: endpoints.tenantId,
        AZURE_CLIENT_ID: endpoints.clientId,
        AZURE_CLIENT_SECRET: endpoints.clientSecret,
        AZURE_AUTHORITY_HOST: endpoints.login,
        NODE_EXTRA_CA_CERTS: endpoints.caFile,
        REQUESTS_CA_BUNDLE: endpoints.caFile,
        SSL_CERT_FILE: endpoints.caFile,
        ARM_ENDPOINT: endpoints.arm,
        LOCATION: endpoints.location,
        VNET_RESOURCEGROUP: embedded.networkResourceGroup,
      };
      for (const [name, value] of Object.entries(variables)) {
        process.stdout.write(`export ${name}='${value.replaceAll("'", "'\\''")}'\n`);
      }
    });
}
