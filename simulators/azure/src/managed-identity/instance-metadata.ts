import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "@keelson/base";
import { sameId } from "../arm/arm-path.ts";
import { type ArmResponse, ok } from "../arm/exchange.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, members, nonEmptyStringAt } from "../base/json.ts";
import type { ServicePrincipal } from "../entra/directory.ts";
import type { EntraDeps } from "../entra/entra-deps.ts";
import { issuerOf } from "../entra/openid-configuration.ts";

interface MetadataRequest {
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly baseUrl: string;
}

export function isMachineToken(segments: readonly string[]): boolean {
  return /^metadata\/identity\/oauth2\/token$/i.test(segments.join("/"));
}

/**
 * Token endpoint of the instance metadata service. Returns tokens for the user-assigned identities of virtual machines and scale
 * sets. In Azure, a machine can request tokens only for its own identities. Here, every client can request tokens for the
 * identities of all machines.
 */
export async function machineToken(deps: EntraDeps, request: MetadataRequest): Promise<ArmResponse> {
  const { query, headers, baseUrl } = request;
  if (!isDirect(headers)) return invalid("Required metadata header not specified");
  const resource = query.get("resource") ?? "";
  if (resource === "") return invalid("Required query variable 'resource' is missing");
  const found = identitiesOfMachines(deps).filter((each) => isAskedFor(each, query));
  const [identity] = found;
  if (!identity) return invalid("Identity not found");
  if (found.length > 1) {
    return invalid(
      "Multiple user assigned identities exist, please specify the clientId / resourceId of the identity in the token request",
    );
  }
  const { clientId, objectId } = identity;
  const issuer = issuerOf(baseUrl, deps.tenantId);
  const issued = await deps.tokens.issue({ clientId, objectId }, resource, issuer);
  const now = Math.floor(deps.subscription.clock.outside.now().getTime() / 1_000);
  return ok({
    access_token: issued.accessToken,
    client_id: clientId,
    expires_in: String(issued.expiresInSeconds),
    expires_on: String(now + issued.expiresInSeconds),
    ext_expires_in: String(issued.expiresInSeconds),
    not_before: String(now),
    resource,
    token_type: "Bearer",
  });
}

export function isMachineInstance(segments: readonly string[]): boolean {
  return /^metadata\/instance\/compute$/i.test(segments.join("/"));
}

/**
 * Instance endpoint of the metadata service. In Azure, this endpoint returns the calling machine. Here, it returns the first
 * machine or scale set that has a user-assigned identity.
 */
export function machineInstance(
  subscription: Subscription,
  { query, headers }: MetadataRequest,
): ArmResponse {
  if (!isDirect(headers)) return invalid("Required metadata header not specified");
  if (!/^\d{4}-\d{2}-\d{2}$/.test(query.get("api-version") ?? "")) {
    return {
      status: 400,
      body: { error: "Bad request. api-version is invalid or was not specified in the request." },
    };
  }
  const [machine] = machinesOf(subscription)
    .filter(({ body }) => identityIdsOf(body).length > 0)
    .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  if (!machine) return { status: 404, body: { error: "Not found" } };
  const { body, id, name } = machine;
  return ok({
    azEnvironment: "AzurePublicCloud",
    location: nonEmptyStringAt(body, "location") ?? "",
    name,
    osType: "Linux",
    resourceGroupName: id.split("/")[4] ?? "",
    resourceId: id,
    subscriptionId: subscription.subscriptionId,
    vmId: nonEmptyStringAt(body, "properties", "vmId") ?? "",
    vmSize:
      nonEmptyStringAt(body, "properties", "hardwareProfile", "vmSize") ??
      nonEmptyStringAt(body, "sku", "name") ??
      "",
  });
}

/**
 * True if the request has the header `Metadata: true` and no proxy has forwarded the request. Browsers do not send this header.
 */
function isDirect(headers: IncomingHttpHeaders): boolean {
  return headers.metadata?.toString().toLowerCase() === "true" && headers["x-forwarded-for"] === undefined;
}

function identitiesOfMachines({ subscription, directory }: EntraDeps): readonly ServicePrincipal[] {
  const ids = assignedIds(subscription);
  return directory
    .servicePrincipals()
    .filter(({ identityId }) => identityId !== undefined && ids.some((each) => sameId(each, identityId)));
}

function assignedIds(subscription: Subscription): readonly string[] {
  return machinesOf(subscription).flatMap(({ body }) => identityIdsOf(body));
}

function machinesOf(subscription: Subscription): readonly ResourceRecord[] {
  return ["virtualMachines", "virtualMachineScaleSets"].flatMap((type) =>
    subscription.resources.ofType(`Microsoft.Compute/${type}`),
  );
}

function identityIdsOf(body: JsonObject): readonly string[] {
  return Object.keys(members(at(body, "identity", "userAssignedIdentities")));
}

/** True if the identity matches the request's query. A query that names no identity matches every identity. */
function isAskedFor({ clientId, objectId, identityId }: ServicePrincipal, query: URLSearchParams): boolean {
  const names = { client_id: clientId, object_id: objectId, msi_res_id: identityId, mi_res_id: identityId };
  return Object.entries(names).every(([name, value]) => {
    const wanted = query.get(name);
    return wanted === null || wanted.toLowerCase() === value?.toLowerCase();
  });
}

function invalid(text: string): ArmResponse {
  return { status: 400, body: { error: "invalid_request", error_description: text } };
}
