import { testCosmosAccounts } from "./cosmos-accounts.ts";
import { outermostVersions } from "./earlier-versions.ts";

testCosmosAccounts(outermostVersions);
