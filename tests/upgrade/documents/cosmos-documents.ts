import type { JSONObject } from "@azure/cosmos";
import type { Body } from "../../e2e/support/stored-documents.ts";
import { CosmosAccount } from "./cosmos-account.ts";
import type { SharedDocuments } from "./shared-documents.ts";

/** Returns access to documents in the simulated Cosmos DB account. */
export function cosmosDocuments(serviceConfig: string): SharedDocuments {
  const account = new CosmosAccount(serviceConfig);
  const { items } = account.client.database(account.databaseName).container("documents");
  const query = async (kind: string, collection: string): Promise<readonly Item[]> => {
    const parameters = [
      { name: "@kind", value: kind },
      { name: "@collection", value: collection },
    ];
    const text = "SELECT * FROM c WHERE c.kind = @kind AND c.collection = @collection";
    return (await items.query<Item>({ query: text, parameters }).fetchAll()).resources;
  };
  return {
    database: account.settings,
    async list(collection) {
      return (await query("document", collection)).map(({ body }): Body => JSON.parse(body));
    },
    async editIdleCluster(name, change) {
      const [found, heads] = await Promise.all([
        query("document", "openshift_clusters"),
        query("head", "openshift_clusters"),
      ]);
      const item = found.find(({ body }) => JSON.parse(body).openShiftCluster.name === name);
      const head = heads.find(({ documentId }) => documentId === item?.documentId);
      if (!item || !head || head.order !== undefined || head.leaseExpires !== 0) return false;
      const { _etag: condition, ...own } = item;
      const next: JSONObject = { ...own, body: JSON.stringify(change(JSON.parse(item.body))) };
      const options = { accessCondition: { type: "IfMatch", condition } };
      return await account.client
        .database(account.databaseName)
        .container("documents")
        .item(item.id, item.partitionKey)
        .replace(next, options)
        .then(
          () => true,
          (error: unknown) => {
            if (error instanceof Error && "code" in error && error.code === 412) return false;
            throw error;
          },
        );
    },
    async [Symbol.asyncDispose]() {
      account[Symbol.dispose]();
    },
  };
}

/** Stored item: a complete document, or only the metadata of a document. */
interface Item extends JSONObject {
  readonly id: string;
  readonly partitionKey: string;
  readonly documentId: string;
  readonly body: string;
  readonly _etag: string;
  readonly order?: string;
  readonly leaseExpires?: number;
}
