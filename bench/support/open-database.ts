import { silentLogger } from "@keelson/base";
import { createKeyring, openDatabase } from "@keelson/database";
import { definitions, type ServiceDatabase } from "@keelson/model";

/** Opens the service's database for a benchmark with a fixed encryption key. Default: with housekeeping. */
export function openBenchDatabase(
  driver: Parameters<typeof openDatabase>[0]["driver"],
  use: "all" | "documents" = "all",
): Promise<ServiceDatabase> {
  return openDatabase({
    driver,
    use,
    definitions,
    keyring: createKeyring({ current: "bench", keys: { bench: Buffer.alloc(32, 7) } }),
    logger: silentLogger,
    signal: new AbortController().signal,
  });
}
