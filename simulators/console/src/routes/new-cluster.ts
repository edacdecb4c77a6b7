import { consoleErrors } from "../http/errors.ts";
import type { ClusterChoices, PreparedCluster, WorldFacts } from "../world/world.ts";
import { requireCount } from "./input.ts";

export interface NewCluster {
  readonly name: string;
  readonly version: string;
  readonly masterSize: string;
  readonly workerSize: string;
  readonly workers: number;
  readonly visibility: "Public" | "Private";
}

/** Validates the form of a new cluster. @throws BadRequest with the field and its valid values */
export function parseNewCluster(
  { name, version, masterSize, workerSize, workers, visibility }: Readonly<Record<string, unknown>>,
  choices: ClusterChoices,
): NewCluster {
  // The name is also used in the cluster's domain.
  if (typeof name !== "string" || !/^[a-z][-a-z0-9]{0,28}[a-z0-9]$/.test(name))
    throw consoleErrors.BadRequest(
      "name must be 2 to 30 lower-case letters, digits or -, starting with a letter.",
    );
  return {
    name,
    version: oneOf(version, "version", choices.versions),
    masterSize: oneOf(masterSize, "masterSize", choices.masterSizes),
    workerSize: oneOf(workerSize, "workerSize", choices.workerSizes),
    workers: requireCount(workers, "workers", 2, 50),
    visibility: oneOf(visibility, "visibility", ["Public", "Private"] as const),
  };
}

function oneOf<Choice extends string>(value: unknown, field: string, choices: readonly Choice[]): Choice {
  const found = choices.find((each) => each === value);
  if (found === undefined) throw consoleErrors.BadRequest(`${field} must be one of ${choices.join(", ")}.`);
  return found;
}

/** Returns the body of the ARM request. */
export function clusterRequest(
  { name, version, masterSize, workerSize, workers, visibility }: NewCluster,
  { clientId, clientSecret, masterSubnetId, workerSubnetId }: PreparedCluster,
  { subscriptionId, location }: WorldFacts,
): object {
  return {
    location,
    properties: {
      clusterProfile: {
        domain: name,
        version,
        resourceGroupId: `/subscriptions/${subscriptionId}/resourceGroups/aro-${name}`,
        fipsValidatedModules: "Disabled",
      },
      servicePrincipalProfile: { clientId, clientSecret },
      networkProfile: { podCidr: "10.128.0.0/14", serviceCidr: "172.30.0.0/16" },
      masterProfile: { vmSize: masterSize, subnetId: masterSubnetId, encryptionAtHost: "Disabled" },
      workerProfiles: [
        {
          name: "worker",
          vmSize: workerSize,
          diskSizeGB: 128,
          subnetId: workerSubnetId,
          count: workers,
          encryptionAtHost: "Disabled",
        },
      ],
      apiserverProfile: { visibility },
      ingressProfiles: [{ name: "default", visibility }],
    },
  };
}
