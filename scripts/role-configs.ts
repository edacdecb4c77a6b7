/**
 * Writes the configuration of each role of the service for docs/howto/run-three-replicas.md. Usage: role-configs.ts WORLD DIRECTORY
 * DATABASE. WORLD is the state directory of `keelson sim`, and DATABASE is the host, port, name and parameters of a PostgreSQL database.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";

const [world, directory, database] = process.argv.slice(2);
if (world === undefined || directory === undefined || !/^[^/@\s]+\/\w+(\?[^\s/]+)?$/.test(database ?? "")) {
  console.error(
    "usage: role-configs.ts WORLD DIRECTORY DATABASE, for example: role-configs.ts world etc localhost:5432/keelson",
  );
  process.exit(2);
}
const base = JSON.parse(readFileSync(join(world, "service.json"), "utf8"));
mkdirSync(directory, { recursive: true, mode: 0o700 });
const file = (name: string) => resolve(directory, name);
copyFileSync(join(world, "arm.pem"), file("callers.pem"));

const certificates = { kind: "listed", file: file("callers.pem") };
const { adminTokens: tokens, adminRoles } = base.callers;
const callers = { kind: "verified", arm: { certificates }, admin: { tokens }, adminRoles };
const write = (name: string, value: object) =>
  writeFileSync(file(name), `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
const databaseOf = (role: string) => {
  writeFileSync(file(`${role}.password`), "first", { mode: 0o600 });
  const url = `postgres://keelson_${role}@${database}`;
  return { kind: "postgres", url, passwordFile: file(`${role}.password`), migrations: "require" };
};
for (const role of ["owner", "rp", "maintenance", "monitor", "portal"])
  write(`${role}.json`, { ...base, callers, database: databaseOf(role) });

const { location, azure, containerRegistry } = base;
const { armEndpoint, loginEndpoint, audience } = azure;
write("gateway.json", {
  location,
  azure: { armEndpoint, loginEndpoint, audience },
  storageSuffix: "core.windows.net",
  registryDomain: containerRegistry.domain,
  database: databaseOf("gateway"),
  serveOnMs: base.serveOnMs,
  drainMs: base.drainMs,
});
