import { randomUUID } from "node:crypto";
import { create, replace } from "@keelson/database";
import { parseRoleSetRequest, type RoleSetDocument, roleSetsPartition } from "@keelson/model";
import { conflict, retryConflicts, unexpectedResult } from "../commits/conflict-retry.ts";
import { paths } from "../http/messages/paths.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import type { Response } from "../http/messages/response.ts";
import { uncheckedVersion } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";
import { readRoleSets } from "../service/catalogue.ts";
import type { Service } from "../service/service.ts";
import { adminRoleSet } from "./role-sets.ts";

/** Adds or replaces the role set of an OpenShift minor version. */
export const putAdminRoleSet: Route = {
  method: "PUT",
  path: paths.adminRoleSets,
  versions: uncheckedVersion,
  handle: (request, service) =>
    retryConflicts(service.clock, request.signal, () => attemptPut(request, service)),
};

async function attemptPut(
  request: RequestContext,
  { database }: Service,
): Promise<Response | typeof conflict> {
  const { roleSets } = database.collections;
  const properties = request.read(parseRoleSetRequest);
  const { openShiftVersion } = properties;
  const { signal } = request;
  const stored = await roleSets.findBy(roleSetsPartition, "openShiftVersion", openShiftVersion, signal);
  // A PUT of a role set that is marked for deletion cancels the deletion.
  const { deleting: _, ttlSeconds: __, ...kept } = stored?.document ?? {};
  const document: RoleSetDocument = {
    id: randomUUID(),
    partitionKey: roleSetsPartition,
    ...kept,
    platformWorkloadIdentityRoleSet: { ...stored?.document.platformWorkloadIdentityRoleSet, properties },
  };
  const write = stored ? replace(roleSets, stored, document) : create(roleSets, document);
  const result = await database.commit(roleSetsPartition, [write], { signal });
  // A concurrent request has added a role set for this minor version.
  if (result.kind === "conflict" || result.kind === "duplicate") return conflict;
  if (result.kind !== "committed") throw unexpectedResult(result);
  return { status: stored ? 200 : 201, body: adminRoleSet(properties) };
}

/** Lists the role sets with service accounts and secrets, ordered by OpenShift minor version. */
export const listAdminRoleSets: Route = {
  method: "GET",
  path: paths.adminRoleSets,
  versions: uncheckedVersion,
  async handle({ signal }, { database }) {
    return { status: 200, body: { value: (await readRoleSets(database, signal)).map(adminRoleSet) } };
  },
};
