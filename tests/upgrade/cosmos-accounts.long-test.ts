import { testCosmosAccounts } from "./cosmos-accounts.ts";
import { laterVersions } from "./earlier-versions.ts";

testCosmosAccounts(laterVersions);
