export { freshMemoryDriver, memoryDriver } from "./memory-driver.ts";
export { type PostgresServer, type PostgresServerOptions, startPostgres } from "./postgres.ts";
