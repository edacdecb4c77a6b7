import { readFileSync } from "node:fs";
import { parseResourceId, resourceKey } from "@keelson/arm";
import { Secret, silentLogger, systemClock } from "@keelson/base";
import { sealSecret } from "@keelson/database";
import { openServiceDatabase } from "@keelson/env";
import { type ClusterDocument, definitions, type ServiceDatabase } from "@keelson/model";
import { type ConfigFlags, serviceConfigOf } from "../options/service-flags.ts";
import { cliErrors } from "../output/cli-errors.ts";

export interface DbGetFlags extends ConfigFlags {
  readonly showSecrets?: boolean;
}

export interface AeadFlags extends ConfigFlags {
  readonly cluster: string;
  readonly path: string;
  readonly file?: string;
}

/** Returns a cluster's document as JSON. Secrets are redacted by default. @throws UnknownCluster */
export async function clusterDocumentText(
  resourceId: string,
  flags: DbGetFlags,
  signal: AbortSignal,
): Promise<string> {
  await using opened = await open(flags, signal);
  const document = await findCluster(opened.database, resourceId, signal);
  const shown = flags.showSecrets ? revealed(document) : document;
  return `${JSON.stringify(shown, undefined, 2)}\n`;
}

/**
 * Encrypts a string for a field of a cluster's document. Returns the JSON value that the database stores.
 * @throws UnknownCluster, NotSecret
 */
export async function sealedText(flags: AeadFlags, signal: AbortSignal): Promise<string> {
  const { path, file } = flags;
  const { name, secretPaths } = definitions.clusters;
  const general = path.replaceAll(/\[\d+\]/g, "[]");
  if (!secretPaths.some((each) => general === each)) {
    throw cliErrors.NotSecret(
      `${path} is not an encrypted field. Encrypted fields: ${secretPaths.join(", ")}`,
    );
  }
  const text = readFileSync(file ?? 0, "utf8");
  await using opened = await open(flags, signal);
  const { id, partitionKey } = await findCluster(opened.database, flags.cluster, signal);
  return `${JSON.stringify(sealSecret(text, { collection: name, partitionKey, id, path }, opened.keyring))}\n`;
}

async function open(flags: ConfigFlags, signal: AbortSignal) {
  return openServiceDatabase(await serviceConfigOf(flags), {
    clock: systemClock,
    logger: silentLogger,
    signal,
  });
}

async function findCluster(
  database: ServiceDatabase,
  resourceId: string,
  signal: AbortSignal,
): Promise<ClusterDocument> {
  const { subscriptionId } = parseResourceId(resourceId) ?? {};
  if (subscriptionId === undefined) {
    throw cliErrors.UnknownCluster(
      `${JSON.stringify(resourceId)} is no resource ID: /subscriptions/.../openShiftClusters/NAME`,
    );
  }
  const { clusters } = database.collections;
  const stored = await clusters.findBy(subscriptionId.toLowerCase(), "key", resourceKey(resourceId), signal);
  if (stored) return stored.document;
  throw cliErrors.UnknownCluster(`the database has no cluster ${resourceId}`);
}

function revealed(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (Array.isArray(value)) return value.map(revealed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, revealed(each)]));
}
