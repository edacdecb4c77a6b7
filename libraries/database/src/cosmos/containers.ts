import type { Container, ContainerDefinition } from "@azure/cosmos";
import { isPlainObject, listAt, messageOf, objectAt } from "@keelson/base";
import { errors } from "../documents/errors.ts";
import type { CosmosConnection } from "./connection.ts";
import { type CosmosContainer, cosmosContainers } from "./container-definitions.ts";
import { statusOf } from "./unavailable.ts";

/** Data format version. The version is increased if older programs cannot safely use the data of newer programs. */
const layoutVersion = 1;
const layoutId = "layout";

/**
 * Creates the database and its containers if they are missing, and checks existing ones. Several processes can call it
 * concurrently.
 * @throws StoreUnavailable, SchemaMismatch, SchemaAhead, UnsuitableAccount
 */
export async function ensureContainers(
  connection: CosmosConnection,
  databaseName: string,
  signal: AbortSignal,
): Promise<void> {
  await verifyAccount(connection, signal);
  const { client } = connection;
  const database = client.database(databaseName);
  await ensure(connection, `database ${databaseName}`, signal, {
    read: async () => (await database.read({ abortSignal: signal })).resource,
    create: () => client.databases.create({ id: databaseName }, { abortSignal: signal }),
  });
  for (const wanted of cosmosContainers) {
    const container = database.container(wanted.id);
    const found = await ensure(connection, `container ${wanted.id} of database ${databaseName}`, signal, {
      read: async () => (await container.read({ abortSignal: signal })).resource,
      create: () => database.containers.create(wanted, { abortSignal: signal }),
    });
    verifyContainer(wanted, found, databaseName);
    await ensureIndexes(connection, container, wanted, found, signal);
  }
  await verifyLayout(connection, signal);
}

interface Resource {
  read(): Promise<unknown>;
  create(): Promise<unknown>;
}

async function ensure(
  connection: CosmosConnection,
  what: string,
  signal: AbortSignal,
  { read, create }: Resource,
): Promise<unknown> {
  const existing = () =>
    connection.send(signal, read).catch((error: unknown) => {
      if (statusOf(error) === 404) return undefined;
      throw error;
    });
  const found = await existing();
  if (found !== undefined) return found;
  try {
    signal.throwIfAborted();
    await create();
  } catch (error) {
    signal.throwIfAborted();
    if (statusOf(error) === 403) {
      throw errors.SchemaMismatch(
        `There is no ${what}, and this identity may not make it: make it through Azure Resource Manager, ` +
          `with the partition keys and indexes of docs/database.md. (${messageOf(error).split("\n")[0]})`,
      );
    }
    // Status 409 means that a different process created the resource first. All other errors are thrown.
    if (statusOf(error) !== 409) await connection.send(signal, () => Promise.reject(error));
  }
  return existing();
}

function verifyContainer(
  { id, partitionKey, defaultTtl }: CosmosContainer,
  found: unknown,
  database: string,
): void {
  const paths = (value: unknown) => JSON.stringify(listAt(value, "paths"));
  const actual = objectAt(found);
  const faults = [
    ...(paths(actual.partitionKey) === paths(partitionKey) ? [] : [`partition key ${paths(partitionKey)}`]),
    ...(actual.defaultTtl === defaultTtl ? [] : [`default time to live ${defaultTtl ?? "off"}`]),
  ];
  if (faults.length === 0) return;
  throw errors.SchemaMismatch(
    `Container ${id} of database ${database} must have ${faults.join(" and ")}: create it again, or configure a different database.`,
  );
}

/** Adds the indexes that a newer program needs. Cosmos DB builds them in the background. */
async function ensureIndexes(
  connection: CosmosConnection,
  container: Container,
  wanted: CosmosContainer,
  found: unknown,
  signal: AbortSignal,
): Promise<void> {
  const policy = objectAt(found, "indexingPolicy");
  const missing = wanted.indexingPolicy.includedPaths.filter(({ path }) => !hasPath(policy, path));
  if (missing.length === 0) return;
  const includedPaths = [...(Array.isArray(policy.includedPaths) ? policy.includedPaths : []), ...missing];
  const { id, partitionKey, defaultTtl } = wanted;
  const indexingPolicy = { ...policy, includedPaths };
  const definition = {
    id,
    partitionKey,
    indexingPolicy,
    ...(defaultTtl === undefined ? {} : { defaultTtl }),
  };
  try {
    signal.throwIfAborted();
    await container.replace(definition as ContainerDefinition, { abortSignal: signal });
  } catch (error) {
    signal.throwIfAborted();
    if (statusOf(error) !== 403) await connection.send(signal, () => Promise.reject(error));
    throw errors.SchemaMismatch(
      `Container ${id} has no index of ${missing.map(({ path }) => path).join(", ")}, and this identity may not add ` +
        "them: add these included paths through Azure Resource Manager.",
    );
  }
}

/** True if the indexing policy includes the path, or a parent path that ends in `/*`. */
function hasPath(policy: Readonly<Record<string, unknown>>, path: string): boolean {
  const paths: unknown[] = Array.isArray(policy.includedPaths) ? policy.includedPaths : [];
  return paths.some((each) => {
    const known = isPlainObject(each) ? String(each.path) : "";
    return known === path || (known.endsWith("/*") && path.startsWith(known.slice(0, -1)));
  });
}

async function verifyLayout(connection: CosmosConnection, signal: AbortSignal): Promise<void> {
  const { control } = connection;
  await connection.create(control, { id: layoutId, kind: "layout", version: layoutVersion }, signal);
  const layout = await connection.read<{ readonly version: number }>(control, layoutId, layoutId, signal);
  if (layout && layout.version <= layoutVersion) return;
  throw errors.SchemaAhead(
    `The database has layout ${layout?.version}, this program knows up to ${layoutVersion}: ` +
      "run the version that wrote it, or a newer one.",
  );
}

/** Consistency levels with a total order of writes. At these levels, every reader observes all earlier writes. */
const strictLevels = ["Strong", "BoundedStaleness"];

/**
 * Checks the account's consistency level. Commits depend on conditions, and every process must observe acknowledged writes of
 * other processes.
 */
async function verifyAccount(connection: CosmosConnection, signal: AbortSignal): Promise<void> {
  const { resource } = await connection.send(signal, () =>
    connection.client.getDatabaseAccount({ abortSignal: signal }),
  );
  if (resource?.enableMultipleWritableLocations) {
    throw errors.UnsuitableAccount(
      `The account at ${connection.endpoint} accepts writes in several regions, where the last write wins: ` +
        "turn multi-region writes off.",
    );
  }
  const consistency = String(resource?.consistencyPolicy);
  if (strictLevels.includes(consistency)) return;
  throw errors.UnsuitableAccount(
    `The account at ${connection.endpoint} has the default consistency ${consistency}, at which a process does ` +
      "not always find the writes of a different process: set Strong or BoundedStaleness.",
  );
}
