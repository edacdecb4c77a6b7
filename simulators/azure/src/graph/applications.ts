import type { JsonObject } from "@keelson/base";
import { at } from "../base/json.ts";
import type { Application } from "../entra/directory.ts";
import type { EntraDeps } from "../entra/entra-deps.ts";
import { tenantDomain } from "../entra/tenants.ts";
import { attributesIn, requiredText } from "./attributes.ts";
import { certificatesIn, passwordActions, renderCredentials } from "./credentials.ts";
import type { EntitySet } from "./entity-set.ts";
import { federationsOf } from "./federations.ts";
import { badRequest } from "./graph-error.ts";
import { linksOf } from "./links.ts";

const names = [
  "api",
  "appRoles",
  "description",
  "groupMembershipClaims",
  "identifierUris",
  "info",
  "isDeviceOnlyAuthSupported",
  "isFallbackPublicClient",
  "notes",
  "optionalClaims",
  "parentalControlSettings",
  "publicClient",
  "requiredResourceAccess",
  "serviceManagementReference",
  "signInAudience",
  "spa",
  "tags",
  "web",
];

/** Properties that the service sets or that other code validates. Clients may send them. */
const handled = ["displayName", "keyCredentials", "passwordCredentials", "appId", "id", "createdDateTime"];

const put = ({ directory }: EntraDeps, application: Application) => directory.putApplication(application);

export const applications: EntitySet<Application> = {
  name: "applications",
  type: "application",
  list: ({ directory }) => directory.applications(),
  find: ({ directory }, id) =>
    directory.applications().find((each) => each.objectId.toLowerCase() === id.toLowerCase()),
  render: ({ objectId, clientId, displayName, createdAt, attributes, ...credentials }) => ({
    id: objectId,
    appId: clientId,
    displayName,
    createdDateTime: createdAt ?? null,
    publisherDomain: tenantDomain,
    signInAudience: "AzureADMyOrg",
    identifierUris: [],
    appRoles: [],
    requiredResourceAccess: [],
    tags: [],
    web: { redirectUris: [] },
    spa: { redirectUris: [] },
    publicClient: { redirectUris: [] },
    ...attributes,
    ...renderCredentials(credentials),
  }),
  create(deps, body) {
    refuseSecrets(body);
    const displayName = requiredText(body, "displayName");
    const { newIds } = deps.subscription;
    const application: Application = {
      objectId: newIds.next(displayName, "application"),
      clientId: newIds.next(displayName, "clientId"),
      displayName,
      createdAt: deps.clock.now().toISOString(),
      passwords: [],
      certificates: certificatesIn(body),
      attributes: attributesIn(body, names, handled),
    };
    checkAddresses(application);
    checkIdentifiers(deps, application);
    deps.subscription.store.transaction(() => put(deps, application));
    return application;
  },
  update(deps, existing, body) {
    const application: Application = {
      ...existing,
      displayName: "displayName" in body ? requiredText(body, "displayName") : existing.displayName,
      certificates: certificatesIn(body, existing.certificates),
      attributes: attributesIn(body, names, handled, existing.attributes),
    };
    checkAddresses(application);
    checkIdentifiers(deps, application);
    deps.subscription.store.transaction(() => put(deps, application));
  },
  remove({ directory, subscription }, { clientId }) {
    subscription.store.transaction(() => directory.removeApplication(clientId));
  },
  navigations: {
    ...passwordActions(put),
    federatedidentitycredentials: federationsOf,
    owners: linksOf("owners", put),
  },
};

/**
 * Rejects unsafe redirect addresses, because authorization codes are sent to redirect addresses. Browsers must not execute an
 * address as a script, and third parties must not be able to read the codes.
 */
function checkAddresses({ attributes }: Application): void {
  for (const platform of ["web", "spa", "publicClient"]) {
    const addresses = at(attributes, platform, "redirectUris");
    for (const address of Array.isArray(addresses) ? addresses : []) {
      const url = typeof address === "string" ? URL.parse(address) : null;
      const isSafe =
        platform === "publicClient"
          ? url && !["javascript:", "data:", "vbscript:"].includes(url.protocol)
          : url?.protocol === "https:" || (url?.protocol === "http:" && url.hostname === "localhost");
      if (!isSafe) throw badRequest(`Invalid value specified for property 'redirectUris' of '${platform}'.`);
    }
  }
}

/** Rejects secrets in the request body. Only the service generates secrets. */
function refuseSecrets(body: JsonObject): void {
  const { passwordCredentials } = body;
  if (!Array.isArray(passwordCredentials) || passwordCredentials.length === 0) return;
  throw badRequest("New password credentials must be generated with the service action 'addPassword'.");
}

function checkIdentifiers({ directory }: EntraDeps, { clientId, attributes }: Application): void {
  const wanted = identifiersOf(attributes);
  const others = directory.applications().filter((each) => each.clientId !== clientId);
  const twin = wanted.find((each) => others.some((one) => identifiersOf(one.attributes).includes(each)));
  if (twin === undefined) return;
  throw badRequest(
    `Another object with the same value for property identifierUris already exists: '${twin}'.`,
  );
}

function identifiersOf(attributes: JsonObject = {}): readonly unknown[] {
  return Array.isArray(attributes.identifierUris) ? attributes.identifierUris : [];
}
