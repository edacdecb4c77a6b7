import { systemClock } from "@keelson/base";
import { errors } from "../documents/errors.ts";
import type { DocumentDriver } from "../drivers/document-driver.ts";
import type { CosmosOptions } from "./open-cosmos.ts";

/** Creates a driver for an Azure Cosmos DB for NoSQL account. It uses the official SDK. @throws InvalidStoreUrl */
export function cosmosDriver(options: CosmosOptions): DocumentDriver {
  if (!/^https?:$/.test(URL.parse(options.endpoint)?.protocol ?? "")) {
    throw errors.InvalidStoreUrl(
      `${options.endpoint} is not an endpoint of Cosmos DB. It has the form https://account.documents.azure.com.`,
    );
  }
  return {
    kind: "documents",
    name: "cosmos",
    async openStore(store) {
      // Loads the SDK only in processes that use Cosmos DB.
      const { openCosmos } = await import("./open-cosmos.ts");
      return openCosmos(options, store, systemClock);
    },
  };
}
