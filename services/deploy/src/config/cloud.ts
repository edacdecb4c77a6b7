import { readFileSync } from "node:fs";
import type { AzureEnvironment } from "@keelson/azure";
import type { Configuration } from "./configuration.ts";

/** Endpoints of an Azure cloud. */
export interface Cloud {
  readonly environment: AzureEnvironment;
  vaultUrl(vault: string): string;
  readonly vaultAudience: string;
  /** Returns the URL of a container in a storage account. */
  containerUrl(account: string, container: string): string;
  cosmosUrl(account: string): string;
  postgresHost(server: string): string;
  readonly storageSuffix: string;
  /** URL at which Azure Resource Manager publishes the client certificates that it presents to resource providers. */
  readonly armCertificatesUrl: string;
}

interface Suffixes {
  readonly arm: string;
  readonly login: string;
  readonly vault: string;
  readonly storage: string;
  readonly cosmos: string;
  readonly postgres: string;
}

const clouds: Readonly<Record<Configuration["azureCloudName"], Suffixes>> = {
  AzurePublicCloud: {
    arm: "management.azure.com",
    login: "login.microsoftonline.com",
    vault: "vault.azure.net",
    storage: "core.windows.net",
    cosmos: "documents.azure.com",
    postgres: "postgres.database.azure.com",
  },
  AzureUSGovernmentCloud: {
    arm: "management.usgovcloudapi.net",
    login: "login.microsoftonline.us",
    vault: "vault.usgovcloudapi.net",
    storage: "core.usgovcloudapi.net",
    cosmos: "documents.azure.us",
    postgres: "postgres.database.usgovcloudapi.net",
  },
  AzureChinaCloud: {
    arm: "management.chinacloudapi.cn",
    login: "login.chinacloudapi.cn",
    vault: "vault.azure.cn",
    storage: "core.chinacloudapi.cn",
    cosmos: "documents.azure.cn",
    postgres: "postgres.database.chinacloudapi.cn",
  },
};

/**
 * Returns the cloud of a configuration. A custom cloud's CA file is read.
 * @throws file system errors
 */
export function cloudOf({ azureCloudName, cloud }: Configuration): Cloud {
  const { arm, login, vault, storage, cosmos, postgres } = clouds[azureCloudName];
  const names = {
    vaultAudience: `https://${vault}`,
    storageSuffix: storage,
    cosmosUrl: (account: string) => `https://${account}.${cosmos}`,
    postgresHost: (server: string) => `${server}.${postgres}`,
    armCertificatesUrl: `https://admin.${arm}/metadata/authentication?api-version=2015-01-01`,
  };
  if (!cloud) {
    return {
      ...names,
      environment: {
        armEndpoint: `https://${arm}`,
        loginEndpoint: `https://${login}`,
        audience: `https://${arm}/`,
      },
      vaultUrl: (name) => `https://${name}.${vault}`,
      containerUrl: (account, container) => `https://${account}.blob.${storage}/${container}`,
    };
  }
  const { armEndpoint, loginEndpoint, audience, caFile } = cloud;
  return {
    ...names,
    environment: {
      armEndpoint,
      loginEndpoint,
      audience,
      ...(caFile ? { caPem: readFileSync(caFile, "utf8") } : {}),
    },
    vaultUrl: (name) => cloud.vaultUrl.replace("{vault}", name),
    containerUrl: (account, container) => `${cloud.blobUrl.replace("{account}", account)}/${container}`,
  };
}
