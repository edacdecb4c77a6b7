import { randomBytes } from "node:crypto";
import type { Clock } from "@keelson/base";
import { Container, type Item, ridWithin } from "./container.ts";
import { containerDefinition, idOf } from "./definition.ts";
import { serveDocuments } from "./documents.ts";
import { CosmosError, conflict, notFound } from "./errors/cosmos-error.ts";
import type { CosmosRequest, CosmosResponse } from "./exchange.ts";

interface CosmosDatabase {
  readonly id: string;
  readonly rid: string;
  readonly containers: Map<string, Container>;
}

export interface AccountOptions {
  readonly clock: Clock;
  /** Number of partition key ranges per container. A cross-partition query reads every range. */
  readonly physicalPartitions: number;
  readonly consistency: "Strong" | "BoundedStaleness" | "Session" | "ConsistentPrefix" | "Eventual";
  readonly multipleWriteRegions: boolean;
}

/** Azure Cosmos DB for NoSQL account. */
export class Account {
  readonly #options: AccountOptions;
  readonly #databases = new Map<string, CosmosDatabase>();

  constructor(options: AccountOptions) {
    this.#options = options;
  }

  /**
   * Handles a request.
   * @param url URL of the account to which the client sent the request
   * @throws CosmosError
   */
  response(request: CosmosRequest, url: string): CosmosResponse {
    const { address, caller } = request;
    if (address.resourceType === "") return this.#account(url);
    const isData = address.resourceType === "docs" || address.resourceType === "pkranges";
    if (!isData && caller === "token" && request.method !== "GET") {
      throw new CosmosError(
        403,
        "Forbidden",
        "Request is blocked because the principal cannot change databases and containers: they are made through Azure Resource Manager.",
        { substatus: 5302 },
      );
    }
    if (address.resourceType === "dbs") return this.#databasesResponse(request);
    const database = this.#database(address.database ?? "");
    if (address.resourceType === "colls") return this.#containersResponse(request, database);
    const container = database.containers.get(address.container ?? "");
    if (!container) throw notFound(`No container ${address.container}.`);
    if (address.resourceType === "pkranges") return pkRanges(container);
    return serveDocuments(request, container);
  }

  /** Implements `SimulatedCosmos.editItems`. */
  editItems(change: (item: Item) => Item | undefined): void {
    for (const { containers } of this.#databases.values()) {
      for (const container of containers.values()) container.edit(change);
    }
  }

  /** Implements `SimulatedCosmos.splitPartitions`. */
  splitPartitions(): void {
    for (const { containers } of this.#databases.values()) {
      for (const container of containers.values()) container.split();
    }
  }

  #account(url: string): CosmosResponse {
    const { consistency, multipleWriteRegions } = this.#options;
    const here = [{ name: "Simulated", databaseAccountEndpoint: `${url}/` }];
    return {
      status: 200,
      body: {
        id: "simulated",
        _self: "",
        _dbs: "//dbs/",
        writableLocations: here,
        readableLocations: here,
        enableMultipleWriteLocations: multipleWriteRegions,
        userConsistencyPolicy: { defaultConsistencyLevel: consistency },
      },
    };
  }

  #databasesResponse({ method, address, body }: CosmosRequest): CosmosResponse {
    if (address.isFeed && method === "GET") {
      const databases = [...this.#databases.values()].map(databaseBody);
      return { status: 200, body: { _rid: "", Databases: databases, _count: databases.length } };
    }
    if (address.isFeed && method === "POST") {
      const id = idOf(body);
      if (this.#databases.has(id)) throw conflict();
      const made = { id, rid: randomBytes(4).toString("base64"), containers: new Map() };
      this.#databases.set(id, made);
      return { status: 201, body: databaseBody(made) };
    }
    const database = this.#database(address.database ?? "");
    if (method === "GET") return { status: 200, body: databaseBody(database) };
    if (method !== "DELETE") throw notAllowed(method);
    this.#databases.delete(database.id);
    return { status: 204 };
  }

  #containersResponse({ method, address, body }: CosmosRequest, database: CosmosDatabase): CosmosResponse {
    const { containers } = database;
    if (address.isFeed && method === "GET") {
      const all = [...containers.values()].map(containerBody);
      return { status: 200, body: { _rid: database.rid, DocumentCollections: all, _count: all.length } };
    }
    if (address.isFeed && method === "POST") {
      const definition = containerDefinition(body);
      if (containers.has(definition.id)) throw conflict();
      const rid = Buffer.concat([Buffer.from(database.rid, "base64"), randomBytes(4)]).toString("base64");
      const { physicalPartitions, clock } = this.#options;
      const made = new Container(definition, rid.replaceAll("/", "-"), physicalPartitions, clock);
      containers.set(definition.id, made);
      return { status: 201, body: containerBody(made) };
    }
    const container = containers.get(address.container ?? "");
    if (!container) throw notFound(`No container ${address.container}.`);
    if (method === "GET") return { status: 200, body: containerBody(container) };
    if (method === "PUT") {
      container.redefine(containerDefinition(body));
      return { status: 200, body: containerBody(container) };
    }
    if (method !== "DELETE") throw notAllowed(method);
    containers.delete(container.definition.id);
    return { status: 204 };
  }

  #database(id: string): CosmosDatabase {
    const found = this.#databases.get(id);
    if (!found) throw notFound(`No database ${id}.`);
    return found;
  }
}

function notAllowed(method: string): CosmosError {
  return new CosmosError(405, "MethodNotAllowed", `${method} is not possible here.`);
}

function databaseBody({ id, rid }: CosmosDatabase) {
  return {
    id,
    _rid: rid,
    _self: `dbs/${rid}/`,
    _etag: `"${rid}"`,
    _colls: "colls/",
    _users: "users/",
    _ts: 0,
  };
}

function containerBody({ definition, rid }: Container) {
  return {
    ...definition.sent,
    _rid: rid,
    _self: `dbs/self/colls/${rid}/`,
    _etag: `"${rid}"`,
    _docs: "docs/",
    _ts: 0,
  };
}

function pkRanges({ ranges, rid }: Container): CosmosResponse {
  const PartitionKeyRanges = ranges.map((range) => ({
    ...range,
    _rid: ridWithin(rid),
    ridPrefix: Number(range.id),
    throughputFraction: 1 / ranges.length,
    status: "online",
  }));
  return { status: 200, body: { _rid: rid, PartitionKeyRanges, _count: PartitionKeyRanges.length } };
}
