import { previousVersions } from "./earlier-versions.ts";
import { testStateDirectories } from "./state-directories.ts";

testStateDirectories(previousVersions);
