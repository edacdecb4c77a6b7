import { randomBytes } from "node:crypto";
import { Secret, silentLogger, systemClock } from "@keelson/base";
import { openStore } from "@keelson/cluster/testing";
import { cosmosDriver, createKeyring, generateKey, openDatabase } from "@keelson/database";
import { definitions, type ServiceDatabase } from "@keelson/model";
import { startSimulatedCosmos } from "@keelson/sim-azure/cosmos";

/** Functions that open the service's database, one for each kind of database. The disposal of `stack` closes the database. */
export const databases: Readonly<Record<string, (stack: AsyncDisposableStack) => Promise<ServiceDatabase>>> =
  {
    PGlite: async (stack) => stack.use(await openStore()),
    async "Cosmos DB"(stack) {
      const key = new Secret(randomBytes(64).toString("base64"));
      const place = { host: "127.0.0.1", port: 0, key, clock: systemClock, logger: silentLogger };
      const account = stack.use(await startSimulatedCosmos({ ...place, consistency: "Strong" }));
      return stack.use(
        await openDatabase({
          driver: cosmosDriver({ endpoint: account.url, databaseName: "keelson", credential: key }),
          definitions,
          keyring: createKeyring({ current: "1", keys: { "1": generateKey() } }),
          logger: silentLogger,
          signal: AbortSignal.timeout(900_000),
        }),
      );
    },
  };
