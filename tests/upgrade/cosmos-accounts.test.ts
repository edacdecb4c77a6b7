import { testCosmosAccounts } from "./cosmos-accounts.ts";
import { oldestVersion } from "./earlier-versions.ts";

testCosmosAccounts(oldestVersion);
