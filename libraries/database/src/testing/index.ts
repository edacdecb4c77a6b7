export { freshMemoryDriver, memoryDriver } from "./memory-driver.ts";
export { type PostgresServer, startPostgres } from "./postgres.ts";
