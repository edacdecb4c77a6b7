import { laterVersions } from "./earlier-versions.ts";
import { testPostgresDatabases } from "./postgres-databases.ts";

testPostgresDatabases(laterVersions);
