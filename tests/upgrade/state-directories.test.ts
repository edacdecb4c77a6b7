import { newestVersion, oldestVersion } from "./earlier-versions.ts";
import { testStateDirectories } from "./state-directories.ts";

testStateDirectories([...oldestVersion, ...newestVersion]);
