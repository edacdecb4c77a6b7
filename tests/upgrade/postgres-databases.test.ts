import { outermostVersions } from "./earlier-versions.ts";
import { testPostgresDatabases } from "./postgres-databases.ts";

testPostgresDatabases(outermostVersions);
