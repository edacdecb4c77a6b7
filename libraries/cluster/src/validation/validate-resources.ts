import { usesWorkloadIdentity } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import {
  checkGraphRoles,
  servicePrincipalOf,
  serviceRemoved,
  tokenClaims,
} from "../credentials/service-principal.ts";
import { operatorIdentitiesWithRoles } from "../identity/platform-identities.ts";
import { validateDiskEncryptionSets } from "./disk-encryption-set.ts";
import { identitiesSubject } from "./identities-subject.ts";
import { validateNetwork } from "./linked-network.ts";
import { validateLoadBalancerProfile } from "./load-balancer.ts";
import { warnAboutMachineSets } from "./machine-set-warnings.ts";
import { principalSubject, type Subject } from "./subject.ts";
import { checkSubnets, validatePreconfiguredGroups } from "./subnet-state.ts";
import { validateIdentities } from "./validate-identities.ts";

/**
 * Runs the validations that the frontend cannot run. The validations cover the sign-in of the cluster's identity, permissions of
 * the cluster and the service, and the customer's network.
 * @throws CloudError with codes and messages of the resource provider (Azure/ARO-RP pkg/validate)
 */
export async function validateResources(context: ClusterContext): Promise<void> {
  const { cluster, azure, signal } = context;
  const service = await serviceSubject(context);
  const own = usesWorkloadIdentity(cluster) ? await operatorsSubject(context) : await clusterSubject(context);
  const subnets = await validateNetwork(own, cluster, signal);
  checkSubnets(cluster, subnets);
  await validateDiskEncryptionSets(own, cluster, signal);
  await validatePreconfiguredGroups(own, cluster, subnets, signal);

  await validateNetwork(service, cluster, signal);
  await validateDiskEncryptionSets(service, cluster, signal);
  await validatePreconfiguredGroups(service, cluster, subnets, signal);
  await validateLoadBalancerProfile(azure, cluster, signal);
  if (cluster.properties.provisioningState === "Updating") await warnAboutMachineSets(context, own);
}

async function serviceSubject({ azure, signal }: ClusterContext): Promise<Subject> {
  const { appid } = tokenClaims(await azure.getToken(signal), serviceRemoved);
  return principalSubject("service", azure, appid);
}

/** Checks the operators' managed identities and returns their subject. */
async function operatorsSubject(context: ClusterContext): Promise<Subject> {
  const identities = await operatorIdentitiesWithRoles(context);
  await validateIdentities(context, identities);
  return identitiesSubject(context, identities);
}

/**
 * Returns the subject of the cluster's service principal. The principal must be able to sign in and must not have permissions on
 * applications.
 */
async function clusterSubject(context: ClusterContext): Promise<Subject> {
  const { environment, signal } = context;
  const principal = servicePrincipalOf(context);
  const azure = context.azureAs(principal);
  tokenClaims(await azure.getToken(signal));
  const { graphAudience = publicGraph } = environment.azure;
  checkGraphRoles(await azure.getToken(signal, graphAudience));
  return principalSubject("cluster", azure, principal.clientId);
}

const publicGraph = "https://graph.microsoft.com/";
