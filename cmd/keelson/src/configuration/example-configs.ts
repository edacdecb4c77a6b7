import { exampleFile, gatewayConfigSchema, serviceConfigJsonSchema } from "@keelson/env";
import { programInstallerKinds } from "./installer-kinds.ts";

const directory = "/etc/keelson";

const database = (role: string) => ({
  kind: "postgres",
  url: `postgres://keelson_${role}@db.example.com/keelson?sslmode=verify-full&sslrootcert=${directory}/postgres-ca.pem`,
  passwordFile: `${directory}/${role}.password`,
  migrations: "require",
});

const azure = {
  armEndpoint: "https://management.azure.com",
  loginEndpoint: "https://login.microsoftonline.com",
  audience: "https://management.core.windows.net/",
};

/** Fields that all roles of `service.json` require. */
const common = (role: string) => ({
  location: "eastus",
  domain: "eastus.example.com",
  tenantId: "00000000-0000-0000-0000-000000000001",
  subscriptionId: "00000000-0000-0000-0000-000000000002",
  resourceGroup: "keelson-eastus",
  host: "0.0.0.0",
  operatorImage: "example.azurecr.io/keelson:v1",
  azure,
  firstParty: {
    clientId: "00000000-0000-0000-0000-000000000003",
    certificateFile: `${directory}/first-party.pem`,
    keyFile: `${directory}/first-party-key.pem`,
  },
  database: database(role),
  encryption: { keysFile: `${directory}/encryption-keys.json` },
  certificateIssuer: { kind: "keyVault", url: "https://keelson-cls.vault.azure.net" },
});

const portal = {
  url: "https://portal.eastus.example.com",
  certificateFile: `${directory}/portal.pem`,
};

const rp = {
  ...common("rp"),
  port: 8443,
  metricsPort: 9402,
  tls: { certificateFile: `${directory}/tls.pem`, keyFile: `${directory}/tls-key.pem` },
  callers: {
    kind: "verified",
    arm: { certificates: { kind: "listed", file: `${directory}/arm-callers.pem` } },
    admin: { certificates: { kind: "listed", file: `${directory}/admin-callers.pem` } },
  },
  // Placeholder of an invalid length. The service therefore does not start until the placeholder is replaced.
  skipTokenKey: "REPLACE WITH THE OUTPUT OF: openssl rand -base64 32",
  installer: {
    kind: "aro-installer",
    command: ["/usr/local/bin/openshift-install"],
    workingFolder: "/var/lib/keelson/installs",
    graphKeyFile: `${directory}/graph.key`,
    pullSecretFile: `${directory}/pull-secret.json`,
    environment: {
      AZURE_FP_CLIENT_ID: "00000000-0000-0000-0000-000000000003",
      DOMAIN_NAME: "eastus.example.com",
      KEYVAULT_PREFIX: "keelson-eus",
      CLUSTER_MDSD_ACCOUNT: "account",
      CLUSTER_MDSD_CONFIG_VERSION: "1.0",
      CLUSTER_MDSD_NAMESPACE: "namespace",
      MDSD_ENVIRONMENT: "environment",
      GATEWAY_DOMAINS: "example.azurecr.io,management.azure.com",
      GATEWAY_RESOURCEGROUP: "gateway-eastus",
      ACR_RESOURCE_ID:
        "/subscriptions/00000000-0000-0000-0000-000000000002/resourceGroups/global/providers/Microsoft.ContainerRegistry/registries/example",
    },
  },
  portal,
};

/** Examples of configuration files by role. */
const examples: Readonly<Record<string, object>> = {
  rp,
  maintenance: common("maintenance"),
  monitor: { ...common("monitor"), monitor: { everyMs: 60_000 } },
  portal: {
    ...common("portal"),
    portal: {
      ...portal,
      keyFile: `${directory}/portal-key.pem`,
      host: "0.0.0.0",
      port: 8445,
      signIn: {
        clientId: "00000000-0000-0000-0000-000000000004",
        certificateFile: `${directory}/portal-client.pem`,
        keyFile: `${directory}/portal-client-key.pem`,
        sessionKeys: ["REPLACE WITH THE OUTPUT OF: openssl rand -base64 32"],
        groups: {
          access: ["00000000-0000-0000-0000-000000000005"],
          operator: [],
          elevated: ["00000000-0000-0000-0000-000000000006"],
        },
      },
    },
  },
  gateway: {
    location: "eastus",
    host: "0.0.0.0",
    azure,
    domains: ["*.example.com"],
    registryDomain: "example.azurecr.io",
    database: database("gateway"),
  },
};

/** Returns the files of `deploy/examples`, by name. */
export function exampleFiles(): ReadonlyMap<string, string> {
  const service = serviceConfigJsonSchema(programInstallerKinds);
  return new Map(
    Object.entries(examples).map(([role, example]) => [
      `${role}.json`,
      exampleFile(
        role === "gateway" ? gatewayConfigSchema : service,
        example,
        `Example for \`keelson ${role}\`, made by \`make generate\`. docs/configuration.md describes all fields. Replace the values, then run: keelson config check FILE --role ${role}`,
      ),
    ]),
  );
}
