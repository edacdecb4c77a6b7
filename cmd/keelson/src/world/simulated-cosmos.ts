import { randomBytes } from "node:crypto";
import { Secret } from "@keelson/base";
import type { ServiceConfig } from "@keelson/env";
import type { SimulatedAzure } from "@keelson/sim-azure";
import { startSimulatedCosmos } from "@keelson/sim-azure/cosmos";
import type { WorldDeps } from "./world-deps.ts";

export interface CosmosAccount extends AsyncDisposable {
  /** Database settings with which resource providers use this account. */
  readonly database: ServiceConfig["database"];
}

/**
 * Starts an in-memory Cosmos DB account. The account accepts its own key and tokens of the simulated Azure. Port 0 chooses a free
 * port.
 */
export async function startCosmos(
  { local, clock, logger }: WorldDeps,
  azure: SimulatedAzure,
  port: number,
): Promise<CosmosAccount> {
  const key = randomBytes(64).toString("base64");
  const account = await startSimulatedCosmos({
    host: "127.0.0.1",
    port,
    tls: local.serving,
    key: new Secret(key),
    verifyToken: (token, url) => azure.refusalOf(token, [url]),
    consistency: "Strong",
    clock,
    logger: logger.child({ component: "sim-cosmos" }),
  });
  return {
    database: {
      kind: "cosmos",
      endpoint: account.url,
      databaseName: "keelson",
      key,
      caFile: local.caFile,
    },
    [Symbol.asyncDispose]: () => account[Symbol.asyncDispose](),
  };
}
