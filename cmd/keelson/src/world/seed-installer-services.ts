import { createHash } from "node:crypto";
import { resourceGroupId } from "@keelson/arm";
import {
  type AzureClients,
  apiVersionOf,
  connectVault,
  isNotFound,
  type WritableVaultSecrets,
} from "@keelson/azure";
import { type JsonObject, Secret } from "@keelson/base";
import { serviceNetwork } from "@keelson/cluster";
import { embedded } from "../state/embedded-defaults.ts";
import { uuidOf } from "../state/portal-identity.ts";
import { connectService, type SimulatedConnection, serviceSignIn } from "./connect-service.ts";
import { type InstallerSecrets, vaultValues } from "./installer-secrets.ts";

const { location, serviceResourceGroup: group } = embedded;
const vaultName = `${embedded.vaultPrefix}-svc`;
/** Identity of the machines that run ARO's installer. The installer requires this name. */
const identityName = "aro-aks-cluster-001-agentpool";
const scaleSetName = "aks-agentpool-vmss";
/** Built-in role "Key Vault Secrets User". */
const secretsUserRole = "4633458b-17de-408a-b874-0445c86b69e6";

/**
 * Creates the service resources that ARO's installer uses. These are a vault with the service's secrets, and a scale set with an
 * identity that can read these secrets. Idempotent.
 */
export async function seedInstallerServices(
  connection: SimulatedConnection,
  secrets: InstallerSecrets,
  signal: AbortSignal,
): Promise<void> {
  const azure = connectService(connection);
  const groupId = resourceGroupId(connection.identity.subscriptionId, group);
  const vaultId = `${groupId}/providers/Microsoft.KeyVault/vaults/${vaultName}`;
  await ensure(azure, vaultId, signal, {
    location,
    properties: {
      tenantId: connection.identity.tenantId,
      sku: { family: "A", name: "standard" },
      enableRbacAuthorization: true,
    },
  });
  await seedAgentPool(azure, groupId, vaultId, signal);
  const vaultUrl = `${connection.url}/vaults/${vaultName}`;
  const vault = connectVault({ ...serviceSignIn(connection), logger: connection.logger, vaultUrl });
  for (const [name, value] of Object.entries(vaultValues(secrets))) await store(vault, name, value, signal);
}

/** Creates a scale set with an identity. The instance metadata service returns the scale set and the tokens of this identity. */
async function seedAgentPool(
  azure: AzureClients,
  groupId: string,
  vaultId: string,
  signal: AbortSignal,
): Promise<void> {
  const call = azure.call(signal);
  const { principalId = "" } = await azure.identities.userAssignedIdentities.createOrUpdate(
    group,
    identityName,
    { location },
    call,
  );
  const { subscriptionId } = azure.authorization;
  await azure.authorization.roleAssignments.create(
    vaultId,
    namedUuid(`${vaultId}/${principalId}`),
    {
      roleDefinitionId: `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${secretsUserRole}`,
      principalId,
      principalType: "ServicePrincipal",
    },
    call,
  );
  const { hiveSubnetId: subnetId } = serviceNetwork({ subscriptionId, resourceGroup: group, hasHive: true });
  const network = {
    name: "nic",
    properties: {
      primary: true,
      ipConfigurations: [{ name: "ip", properties: { subnet: { id: subnetId } } }],
    },
  };
  await ensure(
    azure,
    `${groupId}/providers/Microsoft.Compute/virtualMachineScaleSets/${scaleSetName}`,
    signal,
    {
      location,
      sku: { name: "Standard_D8s_v3", capacity: 0 },
      identity: {
        type: "UserAssigned",
        userAssignedIdentities: {
          [`${groupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${identityName}`]: {},
        },
      },
      properties: {
        upgradePolicy: { mode: "Manual" },
        virtualMachineProfile: {
          osProfile: { computerNamePrefix: "aks-agentpool" },
          networkProfile: { networkInterfaceConfigurations: [network] },
        },
      },
    },
  );
}

async function ensure(azure: AzureClients, id: string, signal: AbortSignal, body: JsonObject): Promise<void> {
  const type = /\/providers\/([^/]+\/[^/]+)\//.exec(id)?.[1] ?? "";
  const query = { "api-version": apiVersionOf(type) ?? "" };
  try {
    await azure.raw.get(id, query, signal);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await azure.raw.write({ method: "PUT", id, query, body }, signal);
  }
}

/**
 * Adds a secret version unless the newest version already has this value. Avoids unneeded versions, because installers read all
 * versions.
 */
async function store(
  vault: WritableVaultSecrets,
  name: string,
  value: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    // If the request names no version, the vault returns the newest version of the secret.
    if ((await vault.get(name, "", signal)).reveal() === value) return;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  await vault.add(name, new Secret(value), signal);
}

/** Returns a UUID that depends on `name` only. */
function namedUuid(name: string): string {
  return uuidOf(createHash("sha256").update(name).digest().subarray(0, 16));
}
