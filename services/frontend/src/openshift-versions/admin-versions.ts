import { randomUUID } from "node:crypto";
import { create, replace, type Write } from "@keelson/database";
import {
  claimDefault,
  type OpenShiftVersionDocument,
  parseVersionRequest,
  versionsPartition,
} from "@keelson/model";
import { conflict, retryConflicts, unexpectedResult } from "../commits/conflict-retry.ts";
import { paths } from "../http/messages/paths.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import type { Response } from "../http/messages/response.ts";
import { uncheckedVersion } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";
import { compareNumerically, readVersions } from "../service/catalogue.ts";
import type { Service } from "../service/service.ts";
import { adminOpenShiftVersion } from "./open-shift-versions.ts";

/**
 * Adds or changes an OpenShift version. If it becomes the default, the same commit removes the default flag of the previous
 * default version. In Azure/ARO-RP, both versions stay default versions.
 */
export const putAdminVersion: Route = {
  method: "PUT",
  path: paths.adminVersions,
  versions: uncheckedVersion,
  handle: (request, service) =>
    retryConflicts(service.clock, request.signal, () => attemptPut(request, service)),
};

/**
 * Maximum number of versions to read. Only hundreds of versions exist. They are read in one page, so that a commit can verify all
 * of their etags when the default version changes.
 */
const limit = 10_000;

async function attemptPut(
  request: RequestContext,
  { database }: Service,
): Promise<Response | typeof conflict> {
  const { versions, defaultVersion } = database.collections;
  const claim = await claimDefault(defaultVersion, request.signal);
  const { items } = await versions.list({ partitionKey: versionsPartition, limit }, request.signal);
  const find = (version: string) =>
    items.find(({ document }) => document.openShiftVersion.properties.version === version);
  const properties = request.read((body) =>
    parseVersionRequest(body, (version) => find(version)?.document.openShiftVersion.properties),
  );
  const stored = find(properties.version);
  const document: OpenShiftVersionDocument = {
    ...(stored ? kept(stored.document) : { id: randomUUID(), partitionKey: versionsPartition }),
    openShiftVersion: { ...stored?.document.openShiftVersion, properties },
  };
  const formerDefaults = items.filter(
    (item) => properties.default && item !== stored && item.document.openShiftVersion.properties.default,
  );
  const writes: Write[] = [
    stored ? replace(versions, stored, document) : create(versions, document),
    ...formerDefaults.map((former) => replace(versions, former, withoutDefault(former.document))),
    ...(properties.default ? [claim(properties.version)] : []),
  ];
  const result = await database.commit(versionsPartition, writes, { signal: request.signal });
  // A concurrent request has added this version, or has changed one of the written versions.
  if (result.kind === "conflict" || result.kind === "duplicate") return conflict;
  if (result.kind !== "committed") throw unexpectedResult(result);
  return { status: stored ? 200 : 201, body: adminOpenShiftVersion(properties) };
}

/** Returns the version without its deletion mark, because a PUT cancels the deletion of a version. */
function kept({
  deleting: _,
  ttlSeconds: __,
  ...document
}: OpenShiftVersionDocument): OpenShiftVersionDocument {
  return document;
}

function withoutDefault(document: OpenShiftVersionDocument): OpenShiftVersionDocument {
  const { openShiftVersion } = document;
  const properties = { ...openShiftVersion.properties, default: false };
  return { ...document, openShiftVersion: { ...openShiftVersion, properties } };
}

/** Lists all OpenShift versions in ascending order, including versions that are disabled for customers. */
export const listAdminVersions: Route = {
  method: "GET",
  path: paths.adminVersions,
  versions: uncheckedVersion,
  async handle({ signal }, { database }) {
    const documents = await readVersions(database, signal);
    const versions = documents
      .map((each) => each.openShiftVersion.properties)
      .sort((a, b) => compareNumerically(a.version, b.version));
    return { status: 200, body: { value: versions.map(adminOpenShiftVersion) } };
  },
};
