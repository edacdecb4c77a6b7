import { middleVersions } from "./earlier-versions.ts";
import { testPostgresDatabases } from "./postgres-databases.ts";

testPostgresDatabases(middleVersions);
