import type { ServicePrincipal } from "../entra/directory.ts";
import type { EntraDeps } from "../entra/entra-deps.ts";
import { attributesIn, requiredText } from "./attributes.ts";
import { certificatesIn, passwordActions } from "./credentials.ts";
import type { EntitySet } from "./entity-set.ts";
import { GraphError } from "./graph-error.ts";
import { linksOf } from "./links.ts";
import { memberships } from "./memberships.ts";
import { renderServicePrincipal } from "./rendering.ts";

const names = [
  "alternativeNames",
  "appRoleAssignmentRequired",
  "description",
  "homepage",
  "loginUrl",
  "logoutUrl",
  "notes",
  "preferredSingleSignOnMode",
  "replyUrls",
  "tags",
];
const handled = ["appId", "id", "displayName", "accountEnabled", "keyCredentials", "passwordCredentials"];

const put = ({ directory }: EntraDeps, principal: ServicePrincipal) => directory.put(principal);

export const servicePrincipals: EntitySet<ServicePrincipal> = {
  name: "servicePrincipals",
  type: "servicePrincipal",
  list: ({ directory }) => directory.servicePrincipals(),
  find({ directory }, id) {
    const found = directory.findPrincipal(id);
    return found?.type === "ServicePrincipal" && "clientId" in found.entry ? found.entry : undefined;
  },
  render: renderServicePrincipal,
  create(deps, body) {
    const { directory, clock, subscription } = deps;
    const clientId = requiredText(body, "appId");
    const application = directory.findApplication(clientId);
    if (directory.find(clientId)) {
      throw new GraphError(
        409,
        "Request_MultipleObjectsWithSameKeyValue",
        `The service principal cannot be created, updated, or restored because the service principal name ${clientId} is already in use.`,
      );
    }
    if (!application) {
      throw new GraphError(
        400,
        "NoBackingApplicationObject",
        `The appId '${clientId}' of the service principal does not reference a valid application object.`,
      );
    }
    const principal: ServicePrincipal = {
      objectId: subscription.newIds.next(application.clientId, "servicePrincipal"),
      clientId: application.clientId,
      displayName: application.displayName,
      createdAt: clock.now().toISOString(),
      passwords: [],
      certificates: certificatesIn(body),
      attributes: attributesIn(body, names, handled),
      ...(body.accountEnabled === false ? { disabled: true } : {}),
    };
    subscription.store.transaction(() => put(deps, principal));
    return principal;
  },
  update(deps, existing, body) {
    const { disabled, ...rest } = existing;
    const isDisabled = "accountEnabled" in body ? body.accountEnabled === false : disabled === true;
    const principal: ServicePrincipal = {
      ...rest,
      certificates: certificatesIn(body, existing.certificates),
      attributes: attributesIn(body, names, handled, existing.attributes),
      ...(isDisabled ? { disabled: true } : {}),
    };
    deps.subscription.store.transaction(() => put(deps, principal));
  },
  remove({ directory, subscription }, { clientId, identityId }) {
    if (identityId !== undefined) {
      throw new GraphError(
        403,
        "Authorization_RequestDenied",
        "Insufficient privileges to complete the operation: the service principal of a managed identity goes with it.",
      );
    }
    subscription.store.transaction(() => directory.remove(clientId));
  },
  navigations: { ...passwordActions(put), ...memberships, owners: linksOf("owners", put) },
};
