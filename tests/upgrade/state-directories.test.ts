import { newestVersion } from "./earlier-versions.ts";
import { testStateDirectories } from "./state-directories.ts";

testStateDirectories(newestVersion);
