import type { JsonObject } from "@keelson/base";
import type { Directory, Group, ServicePrincipal, User } from "../entra/directory.ts";
import { renderCredentials } from "./credentials.ts";

/** Renders a service principal in the format of Microsoft Graph. */
export function renderServicePrincipal(principal: ServicePrincipal): JsonObject {
  const { objectId, clientId, displayName, createdAt, identityId, disabled, attributes } = principal;
  const isIdentity = identityId !== undefined;
  return {
    id: objectId,
    deletedDateTime: null,
    accountEnabled: !disabled,
    alternativeNames: isIdentity ? ["isExplicit=True", identityId] : [],
    appDisplayName: displayName,
    appDescription: null,
    appId: clientId,
    applicationTemplateId: null,
    appOwnerOrganizationId: null,
    appRoleAssignmentRequired: false,
    createdByAppId: null,
    createdDateTime: createdAt === undefined ? null : createdAt.replace(/\.\d+Z$/, "Z"),
    description: null,
    disabledByMicrosoftStatus: null,
    displayName,
    homepage: null,
    isDisabled: null,
    loginUrl: null,
    logoutUrl: null,
    notes: null,
    notificationEmailAddresses: [],
    preferredSingleSignOnMode: null,
    preferredTokenSigningKeyThumbprint: null,
    replyUrls: [],
    servicePrincipalNames: [clientId],
    servicePrincipalType: isIdentity ? "ManagedIdentity" : "Application",
    signInAudience: isIdentity ? null : "AzureADMyOrg",
    tags: [],
    tokenEncryptionKeyId: null,
    samlSingleSignOnSettings: null,
    addIns: [],
    appRoles: [],
    info: {
      logoUrl: null,
      marketingUrl: null,
      privacyStatementUrl: null,
      supportUrl: null,
      termsOfServiceUrl: null,
    },
    ...{ keyCredentials: [], oauth2PermissionScopes: [], passwordCredentials: [] },
    resourceSpecificApplicationPermissions: [],
    verifiedPublisher: { displayName: null, verifiedPublisherId: null, addedDateTime: null },
    ...attributes,
    ...renderCredentials(principal),
  };
}

export function renderUser({ objectId, ...user }: User): JsonObject {
  return {
    id: objectId,
    displayName: user.displayName,
    userPrincipalName: user.userPrincipalName,
    accountEnabled: !user.disabled,
    createdDateTime: user.createdAt ?? null,
    userType: "Member",
    mail: null,
    givenName: null,
    surname: null,
    jobTitle: null,
    businessPhones: [],
    ...user.attributes,
  };
}

export function renderGroup({ objectId, displayName, createdAt, attributes }: Group): JsonObject {
  return {
    id: objectId,
    displayName,
    createdDateTime: createdAt ?? null,
    description: null,
    groupTypes: [],
    mailEnabled: false,
    mailNickname: displayName,
    securityEnabled: true,
    ...attributes,
  };
}

/** Renders a principal of any type with its `@odata.type`. Returns `undefined` for an unknown ID. */
export function renderPrincipal(directory: Directory, objectId: string): JsonObject | undefined {
  const user = directory.findUser(objectId);
  if (user) return typed("user", renderUser(user));
  const group = directory.findGroup(objectId);
  if (group) return typed("group", renderGroup(group));
  const entry = directory.findPrincipal(objectId)?.entry;
  return entry && "clientId" in entry ? typed("servicePrincipal", renderServicePrincipal(entry)) : undefined;
}

/** Returns an object with its `@odata.type`, for lists with several types. */
export function typed(type: string, object: JsonObject): JsonObject {
  return { "@odata.type": `#microsoft.graph.${type}`, ...object };
}
