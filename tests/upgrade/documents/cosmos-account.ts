import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { type ContainerDefinition, CosmosClient, type JSONObject } from "@azure/cosmos";

/** Cosmos DB container with its documents in the format that clients read and write. */
interface CosmosContainer {
  readonly definition: ContainerDefinition;
  readonly items: readonly JSONObject[];
}

export interface CosmosContents {
  readonly databaseName: string;
  readonly containers: readonly CosmosContainer[];
}

/** Client of the simulated Cosmos DB account in a state directory's configuration. */
export class CosmosAccount implements Disposable {
  /** Database settings of the configuration. */
  readonly settings: object;
  readonly databaseName: string;
  readonly client: CosmosClient;
  readonly #agent: Agent;

  constructor(serviceConfig: string) {
    const { database } = JSON.parse(readFileSync(serviceConfig, "utf8"));
    this.settings = database;
    this.databaseName = database.databaseName;
    this.#agent = new Agent({ ca: readFileSync(database.caFile, "utf8") });
    this.client = new CosmosClient({ endpoint: database.endpoint, key: database.key, agent: this.#agent });
  }

  [Symbol.dispose](): void {
    this.client.dispose();
    this.#agent.destroy();
  }
}

export async function readCosmos(serviceConfig: string): Promise<CosmosContents> {
  using account = new CosmosAccount(serviceConfig);
  const { client, databaseName } = account;
  const database = client.database(databaseName);
  const { resources } = await database.containers.readAll().fetchAll();
  const containers = await Promise.all(
    resources.map(async (definition) => {
      const container = database.container(definition.id);
      const { resources: items } = await container.items.readAll<JSONObject>().fetchAll();
      return { definition: withoutSystemMembers(definition), items: items.map(withoutSystemMembers) };
    }),
  );
  return { databaseName, containers };
}

/** Writes documents to an empty account. The documents receive new ETags, as after the restoration of an account. */
export async function writeCosmos(serviceConfig: string, contents: CosmosContents): Promise<void> {
  using account = new CosmosAccount(serviceConfig);
  const { database } = await account.client.databases.createIfNotExists({ id: contents.databaseName });
  for (const { definition, items } of contents.containers) {
    const { container } = await database.containers.createIfNotExists(definition);
    for (const item of items) await container.items.create(item);
  }
}

/** Removes properties such as `_rid`, `_etag` and `_ts`, which the account generates. */
function withoutSystemMembers<T extends object>(resource: T): T {
  const own = Object.entries(resource).filter(([name]) => !name.startsWith("_"));
  return Object.fromEntries(own) as T;
}
