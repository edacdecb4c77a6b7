import { testCosmosAccounts } from "./cosmos-accounts.ts";
import { middleVersions } from "./earlier-versions.ts";

testCosmosAccounts(middleVersions);
