import { type ArmError, badRequest } from "../../arm/arm-error.ts";
import { keyOf, parentId } from "../../arm/arm-path.ts";
import type { ResourceRecord } from "../../arm/resource.ts";
import type { Draft, ResourceType } from "../../arm/resource-type.ts";
import type { Subscription } from "../../arm/subscription.ts";
import { at, nonEmptyStringAt, withProperties } from "../../base/json.ts";

const most = 20;
const longestText = 600;

/** Federated credential of a managed identity: issuer, subject and audiences of accepted tokens. */
export interface FederatedCredential {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
}

export const federatedIdentityCredentials: ResourceType = {
  namespace: "Microsoft.ManagedIdentity",
  type: "userAssignedIdentities/federatedIdentityCredentials",
  location: "none",
  names: /^[A-Za-z0-9][\w-]{2,119}$/,
  provisioningState: false,
  prepare(draft, subscription) {
    const credential = credentialIn(draft.body);
    checkIssuer(draft, credential.issuer);
    const { subject, audiences } = credential;
    if (subject === "" || subject.length > longestText) {
      throw invalid(draft, `'properties.subject' must be a string of 1 to ${longestText} characters`);
    }
    const [audience = ""] = audiences;
    if (audiences.length !== 1 || audience === "" || audience.length > longestText) {
      throw invalid(draft, "'properties.audiences' must have exactly one audience");
    }
    checkOthers(draft, credential, subscription);
    return { body: withProperties(draft.body, { ...credential, audiences: [...audiences] }) };
  },
};

/** Returns the federated credentials of one identity. */
export function federatedCredentialsOf(
  subscription: Subscription,
  identityId: string,
): readonly FederatedCredential[] {
  return siblings(subscription, identityId).map(({ body }) => credentialIn(body));
}

function siblings(subscription: Subscription, identityId: string): readonly ResourceRecord[] {
  return subscription.resources.inCollection(`${identityId}/federatedIdentityCredentials`);
}

function credentialIn(body: Draft["body"]): FederatedCredential {
  const audiences = at(body, "properties", "audiences");
  return {
    issuer: nonEmptyStringAt(body, "properties", "issuer") ?? "",
    subject: nonEmptyStringAt(body, "properties", "subject") ?? "",
    audiences: Array.isArray(audiences)
      ? audiences.map((each) => (typeof each === "string" ? each : ""))
      : [],
  };
}

function checkIssuer(draft: Draft, issuer: string): void {
  const url = issuer.length <= longestText ? URL.parse(issuer) : null;
  if (url?.protocol === "https:" && url.search === "" && url.hash === "") return;
  throw invalid(draft, "'properties.issuer' must be an https URL without query");
}

function checkOthers(
  draft: Draft,
  { issuer, subject }: FederatedCredential,
  subscription: Subscription,
): void {
  const others = siblings(subscription, parentId(draft.id)).filter(
    (each) => keyOf(each.id) !== keyOf(draft.id),
  );
  if (!draft.existing && others.length >= most) {
    throw badRequest(
      "FederatedIdentityCredentialLimitReached",
      `A managed identity has at most ${most} federated identity credentials.`,
    );
  }
  const twin = others.find(({ body }) => {
    const other = credentialIn(body);
    return other.issuer === issuer && other.subject === subject;
  });
  if (twin) throw invalid(draft, `'${twin.name}' has the same issuer and subject already`);
}

function invalid({ name }: Draft, reason: string): ArmError {
  return badRequest(
    "BadRequest",
    `The federated identity credential '${name}' cannot be written: ${reason}.`,
  );
}
