import { randomUUID } from "node:crypto";
import { create, replace } from "@keelson/database";
import { parseRoleSetRequest, type RoleSetDocument, roleSetsPartition } from "@keelson/model";
import type { Answer } from "../answer.ts";
import { conflict, retryConflicts, unexpectedResult } from "../conflict-retry.ts";
import type { Exchange } from "../exchange.ts";
import { adminRoleSet } from "../external-role-set.ts";
import type { Route } from "../route.ts";
import type { Service } from "../service.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** Adds or replaces the roles of an OpenShift minor version. */
export const putAdminRoleSet: Route = {
  method: "PUT",
  path: paths.adminRoleSets,
  versions: uncheckedVersion,
  authorization: "caller",
  handle: (exchange, service) =>
    retryConflicts(service.clock, exchange.signal, () => attemptPut(exchange, service)),
};

async function attemptPut(exchange: Exchange, { database }: Service): Promise<Answer | typeof conflict> {
  const { roleSets } = database.collections;
  const properties = exchange.read(parseRoleSetRequest);
  const { openShiftVersion } = properties;
  const { signal } = exchange;
  const stored = await roleSets.findBy(roleSetsPartition, "openShiftVersion", openShiftVersion, signal);
  const document: RoleSetDocument = {
    ...(stored?.document ?? { id: randomUUID(), partitionKey: roleSetsPartition }),
    platformWorkloadIdentityRoleSet: { ...stored?.document.platformWorkloadIdentityRoleSet, properties },
  };
  const write = stored ? replace(roleSets, stored, document) : create(roleSets, document);
  const result = await database.commit(roleSetsPartition, [write], { signal });
  // A duplicate: somebody else has just added the same version.
  if (result.kind === "conflict" || result.kind === "duplicate") return conflict;
  if (result.kind !== "committed") throw unexpectedResult(result);
  return { status: stored ? 200 : 201, body: adminRoleSet(properties) };
}
