export { type PostgresServer, startPostgres } from "./postgres.ts";
