import { randomUUID } from "node:crypto";
import { isPlainObject, type JsonObject, type JsonValue } from "@keelson/base";
import type { ArmResponse } from "../arm/exchange.ts";
import type { Principal } from "../arm/principal.ts";
import { claimsChallenge } from "../entra/claims-challenge.ts";
import type { EntraDeps } from "../entra/entra-deps.ts";
import { isReplicated } from "../entra/replication.ts";
import { graphResource } from "../entra/requested-resource.ts";
import type { RequestBody } from "../requests/request-body.ts";
import { applications } from "./applications.ts";
import { oneOf, pageOf } from "./collection.ts";
import { getByIds } from "./directory-objects.ts";
import type { EntityRow, EntitySet, GraphRequest } from "./entity-set.ts";
import { badRequest, GraphError, notFound } from "./graph-error.ts";
import { groups } from "./groups.ts";
import { memberships } from "./memberships.ts";
import { renderPrincipal } from "./rendering.ts";
import { servicePrincipals } from "./service-principals.ts";
import { users } from "./users.ts";

/** Application ID of Microsoft Graph, which is also a valid token audience. */
const graphAppId = "00000003-0000-0000-c000-000000000000";

const bodyLimit = 1024 * 1024;

type Unauthenticated = Omit<GraphRequest, "principal" | "body"> & {
  readonly authorization: string | undefined;
  readonly body: RequestBody;
};

/** Handles Microsoft Graph requests: the tenant's directory below `/v1.0` and `/beta`. */
export async function handleGraph(deps: EntraDeps, request: Unauthenticated): Promise<ArmResponse> {
  try {
    const principal = await authenticate(deps, request);
    const body = await request.body.json(bodyLimit);
    const response = await route(deps, { ...request, principal, body });
    await deps.subscription.store.durable();
    return { ...response, service: "graph" };
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    const { status, headers } = error;
    const date = deps.clock.now().toISOString().slice(0, 19);
    return { status, headers, body: error.body(randomUUID(), date), service: "graph" };
  }
}

async function authenticate(deps: EntraDeps, request: Unauthenticated): Promise<Principal> {
  const token = /^Bearer (\S+)$/i.exec(request.authorization ?? "")?.[1];
  if (token === undefined) throw unauthorized("Access token is empty.");
  const verdict = await deps.tokens.verify(token, [graphResource, request.baseUrl, graphAppId]);
  if (!("code" in verdict)) return verdict;
  throw unauthorized(
    messages[verdict.code] ?? "Access token validation failure.",
    claimsChallenge(verdict, " "),
  );
}

const messages: Readonly<Record<string, string>> = {
  ExpiredAuthenticationToken: "Access token has expired or is not yet valid.",
  InvalidAuthenticationTokenAudience: "Access token validation failure. Invalid audience.",
};

function unauthorized(message: string, claims = ""): GraphError {
  return new GraphError(401, "InvalidAuthenticationToken", message, {
    "www-authenticate": `Bearer${claims}`,
  });
}

async function route(deps: EntraDeps, request: GraphRequest): Promise<ArmResponse> {
  const [, name = "", ...rest] = request.segments;
  switch (name.toLowerCase()) {
    case "me":
      return inSet(deps, users, me(deps, request).objectId, rest, request);
    case "directoryobjects":
      return directoryObjects(deps, rest, request);
  }
  // `servicePrincipals(appId='...')` addresses an entry by an alternate key.
  const [, set = name, key] = /^(\w+)\(([^)]*)\)$/.exec(name) ?? [];
  switch (set.toLowerCase()) {
    case "applications":
      return inNamedSet(deps, applications, key, rest, request);
    case "serviceprincipals":
      return inNamedSet(deps, servicePrincipals, key, rest, request);
    case "users":
      return inNamedSet(deps, users, key, rest, request);
    case "groups":
      return inNamedSet(deps, groups, key, rest, request);
    default:
      throw badRequest(`Resource not found for the segment '${name}'.`);
  }
}

/** Handles a request for an entry. `key` or the next path segment identifies the entry. */
function inNamedSet<Row extends EntityRow>(
  deps: EntraDeps,
  set: EntitySet<Row>,
  key: string | undefined,
  rest: readonly string[],
  request: GraphRequest,
): Promise<ArmResponse> {
  if (key !== undefined) return inSet(deps, set, idOf(deps, set, key), rest, request);
  return inSet(deps, set, rest[0], rest.slice(1), request);
}

/** Returns the object ID for a key such as `'id'` or `appId='...'`. @throws GraphError */
function idOf<Row extends EntityRow>(deps: EntraDeps, set: EntitySet<Row>, key: string): string {
  const [, name = "id", value = ""] = /^(?:(\w+)=)?'([^']*)'$/.exec(key) ?? [];
  if (name === "id") return value;
  const wanted = value.toLowerCase();
  const found = visible(deps, set).find((each) => {
    const member = set.render(each)[name];
    return typeof member === "string" && member.toLowerCase() === wanted;
  });
  if (!found) throw notFound(value);
  return found.objectId;
}

function visible<Row extends EntityRow>(deps: EntraDeps, set: EntitySet<Row>): readonly Row[] {
  return set.list(deps).filter((each) => isReplicated(deps.subscription, each));
}

async function inSet<Row extends EntityRow>(
  deps: EntraDeps,
  set: EntitySet<Row>,
  id: string | undefined,
  rest: readonly string[],
  request: GraphRequest,
): Promise<ArmResponse> {
  const { method } = request;
  if (id === undefined) {
    if (method === "GET") {
      return { status: 200, body: pageOf(request, set.name, visible(deps, set).map(set.render)) };
    }
    if (method !== "POST") throw wrongMethod(method);
    const made = await set.create(deps, bodyOf(request.body));
    return { status: 201, body: oneOf(request, set.name, set.render(made)) };
  }
  const row = set.find(deps, id);
  if (!row) throw notFound(id);
  const [name, ...further] = rest;
  if (name !== undefined) return below(deps, set, row, name, further, request);
  switch (method) {
    case "GET":
      return { status: 200, body: oneOf(request, set.name, set.render(row)) };
    case "PATCH":
      await set.update(deps, row, bodyOf(request.body));
      return { status: 204 };
    case "DELETE":
      set.remove(deps, row);
      return { status: 204 };
    default:
      throw wrongMethod(method);
  }
}

function below<Row extends EntityRow>(
  deps: EntraDeps,
  set: Pick<EntitySet<Row>, "name" | "navigations">,
  row: Row,
  name: string,
  rest: readonly string[],
  request: GraphRequest,
): ArmResponse {
  // Actions may have the prefix `microsoft.graph.`.
  const short = name.toLowerCase().replace(/^microsoft\.graph\./, "");
  const navigation = Object.entries(set.navigations ?? {}).find(([each]) => each === short)?.[1];
  if (!navigation) throw badRequest(`Resource not found for the segment '${name}'.`);
  const response = navigation(deps, row, request, rest);
  if (!response) throw wrongMethod(request.method);
  const context = `${set.name}('${row.objectId}')/${name}`;
  if ("done" in response) return { status: 204 };
  if ("entries" in response) return { status: 200, body: pageOf(request, context, response.entries) };
  return { status: response.status ?? 200, body: oneOf(request, context, response.body) };
}

function directoryObjects(deps: EntraDeps, rest: readonly string[], request: GraphRequest): ArmResponse {
  const [id = "", ...further] = rest;
  if (further[0] !== undefined) return membershipsOf(deps, id, further[0], further.slice(1), request);
  if (/^(microsoft\.graph\.)?getbyids$/i.test(id)) {
    if (request.method !== "POST") throw wrongMethod(request.method);
    return { status: 200, body: pageOf(request, "directoryObjects", getByIds(deps, bodyOf(request.body))) };
  }
  if (request.method !== "GET") throw wrongMethod(request.method);
  const found = renderPrincipal(deps.directory, id);
  if (!found) throw notFound(id);
  return { status: 200, body: oneOf(request, "directoryObjects", found) };
}

/** Handles the group memberships of a principal of any type. */
function membershipsOf(
  deps: EntraDeps,
  id: string,
  name: string,
  rest: readonly string[],
  request: GraphRequest,
): ArmResponse {
  const found = deps.directory.findPrincipal(id)?.entry;
  if (!found) throw notFound(id);
  return below(deps, { name: "directoryObjects", navigations: memberships }, found, name, rest, request);
}

function me({ directory }: EntraDeps, { principal }: GraphRequest): EntityRow {
  const user = directory.findUser(principal.objectId);
  if (user) return user;
  throw new GraphError(400, "BadRequest", "/me request is only valid with delegated authentication flow.");
}

function bodyOf(body: JsonValue | undefined): JsonObject {
  if (body === undefined) return {};
  if (isPlainObject(body)) return body;
  throw badRequest("The body of the request must be a JSON object.");
}

function wrongMethod(method: string): GraphError {
  return new GraphError(
    405,
    "Request_BadRequest",
    `Specified HTTP method '${method}' is not allowed for the request target.`,
  );
}
