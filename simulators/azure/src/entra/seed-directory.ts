import type { Secret } from "@keelson/base";
import { digestOf, guidOf } from "./credentials.ts";
import type { Application, Directory, ServicePrincipal } from "./directory.ts";
import { openShiftService } from "./first-party-clients.ts";
import { tenantDomain } from "./tenants.ts";

/** An application that exists from the start. */
export interface SimulatedPrincipal {
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly displayName: string;
  /** A service that Azure runs: it may write deny assignments, and those that are protected do not bind it. */
  readonly firstParty?: boolean;
  /** IDs of built-in roles that it has at the subscription. */
  readonly roles?: readonly string[];
  /** Addresses that browsers may go back to after signing a user in. */
  readonly redirectUris?: readonly string[];
}

/** The people of every new tenant. */
export const seededUsers = [
  { name: "administrator", displayName: "Simulated administrator", group: "Administrators" },
  { name: "reader", displayName: "Simulated reader", group: "Readers" },
] as const;

/**
 * Writes users and groups that are missing, the service principal of the service, and the application of every
 * service principal that is from before there were any. Deleted users come back at the next start.
 */
export function seedDirectory(directory: Directory, tenantId: string): void {
  for (const { name, displayName, group } of seededUsers) {
    const [objectId, groupId] = [seededId(tenantId, name), guidOf(`${tenantId}/group/${group}`)];
    if (!directory.findUser(objectId)) {
      const userPrincipalName = `${name}@${tenantDomain}`;
      directory.putUser({ objectId, displayName, userPrincipalName });
    }
    if (!directory.findGroup(groupId)) {
      directory.putGroup({ objectId: groupId, displayName: group, members: [objectId] });
    }
  }
  if (!directory.find(openShiftService.clientId)) {
    const objectId = guidOf(`${tenantId}/${openShiftService.clientId}`);
    directory.put({ ...openShiftService, objectId, passwords: [] });
  }
  for (const principal of directory.servicePrincipals()) {
    const isHome = principal.identityId === undefined && principal.clientId !== openShiftService.clientId;
    if (isHome && !directory.findApplication(principal.clientId)) {
      directory.putApplication(applicationOf(principal, tenantId));
    }
  }
}

/** The object ID of a user that every tenant has. */
export function seededId(tenantId: string, name: (typeof seededUsers)[number]["name"]): string {
  return guidOf(`${tenantId}/user/${name}`);
}

/** Writes an application with its service principal; its other secrets stay. */
export function registerPrincipal(
  directory: Directory,
  tenantId: string,
  { clientId, displayName, clientSecret, redirectUris }: SimulatedPrincipal,
): void {
  const existing = directory.find(clientId);
  const others = existing?.passwords.filter(({ keyId }) => keyId !== "configured") ?? [];
  const principal = {
    ...existing,
    clientId,
    displayName,
    objectId: existing?.objectId ?? guidOf(`${tenantId}/${clientId}`),
    passwords: [{ keyId: "configured", digest: digestOf(clientSecret) }, ...others],
  };
  directory.put(principal);
  const application = directory.findApplication(clientId) ?? applicationOf(principal, tenantId);
  const web = redirectUris && { web: { redirectUris: [...redirectUris] } };
  directory.putApplication({
    ...application,
    displayName,
    attributes: { ...application.attributes, ...web },
  });
}

function applicationOf({ clientId, displayName }: ServicePrincipal, tenantId: string): Application {
  return {
    clientId,
    displayName,
    objectId: guidOf(`${tenantId}/application/${clientId}`),
    passwords: [],
  };
}
