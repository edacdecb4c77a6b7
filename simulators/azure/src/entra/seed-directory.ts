import { X509Certificate } from "node:crypto";
import type { Secret } from "@keelson/base";
import { type CertificateCredential, digestOf, guidOf } from "./credentials.ts";
import type { Application, Directory, ServicePrincipal } from "./directory.ts";
import { openShiftService } from "./first-party-clients.ts";
import { tenantDomain } from "./tenants.ts";

/** Application that exists when the simulator starts. */
export interface SimulatedPrincipal {
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly displayName: string;
  /**
   * True for an Azure service. Such a service may write deny assignments, and system-protected deny assignments do not apply to
   * it.
   */
  readonly firstParty?: boolean;
  /** IDs of the built-in roles that are assigned to the application at subscription scope. */
  readonly roles?: readonly string[];
  /** Allowed redirect addresses after a user's sign-in. */
  readonly redirectUris?: readonly string[];
  /** Certificate (PEM) that the application can use instead of its secret. */
  readonly certificatePem?: string;
}

/** Users of every new tenant. */
const seededUsers = [
  { name: "administrator", displayName: "Simulated administrator", group: "Administrators" },
  { name: "operator", displayName: "Simulated operator", group: "Operators" },
  { name: "reader", displayName: "Simulated reader", group: "Readers" },
] as const;

export type SeededGroup = (typeof seededUsers)[number]["group"];

/**
 * Creates missing users, missing groups and the service's service principal. Also creates an application for each service
 * principal that has none, because earlier releases stored only service principals. Seeded users that a client has deleted are
 * created again at the next start.
 */
export function seedDirectory(directory: Directory, tenantId: string): void {
  for (const { name, displayName, group } of seededUsers) {
    const [objectId, groupId] = [seededId(tenantId, name), seededGroupId(tenantId, group)];
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

/** Returns the object ID of a seeded user. */
export function seededId(tenantId: string, name: (typeof seededUsers)[number]["name"]): string {
  return guidOf(`${tenantId}/user/${name}`);
}

/** Returns the object ID of a seeded group. */
export function seededGroupId(tenantId: string, group: SeededGroup): string {
  return guidOf(`${tenantId}/group/${group}`);
}

/** Creates or updates an application and its service principal. Credentials that are not in the arguments are kept. */
export function registerPrincipal(
  directory: Directory,
  tenantId: string,
  { clientId, displayName, clientSecret, redirectUris, certificatePem }: SimulatedPrincipal,
): void {
  const existing = directory.find(clientId);
  const others = existing?.passwords.filter(({ keyId }) => keyId !== "configured") ?? [];
  const otherCertificates = existing?.certificates?.filter(({ keyId }) => keyId !== "configured") ?? [];
  const certificates = certificatePem ? [configuredCertificate(certificatePem), ...otherCertificates] : [];
  const principal = {
    ...existing,
    clientId,
    displayName,
    objectId: existing?.objectId ?? guidOf(`${tenantId}/${clientId}`),
    passwords: [{ keyId: "configured", digest: digestOf(clientSecret) }, ...others],
    ...(certificatePem ? { certificates } : {}),
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

function configuredCertificate(pem: string): CertificateCredential {
  const { raw, validFromDate, validToDate } = new X509Certificate(pem);
  return {
    keyId: "configured",
    certificate: raw.toString("base64"),
    startsAt: validFromDate.toISOString(),
    endsAt: validToDate.toISOString(),
  };
}

function applicationOf({ clientId, displayName }: ServicePrincipal, tenantId: string): Application {
  return {
    clientId,
    displayName,
    objectId: guidOf(`${tenantId}/application/${clientId}`),
    passwords: [],
  };
}
