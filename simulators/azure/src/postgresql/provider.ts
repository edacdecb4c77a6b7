import type { ArmProvider } from "../arm/provider.ts";
import { flexibleServerDatabases, flexibleServers } from "./flexible-servers.ts";

export const postgresqlProvider: ArmProvider = {
  namespace: "Microsoft.DBforPostgreSQL",
  types: [flexibleServers, flexibleServerDatabases],
};
