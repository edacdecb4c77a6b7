import { oldestVersion } from "./earlier-versions.ts";
import { testPostgresDatabases } from "./postgres-databases.ts";

testPostgresDatabases(oldestVersion);
