import { describeOperatedCluster } from "./testing/operated-cluster-suite.ts";

// simulated-cluster.long-test.ts tests all further changes.
describeOperatedCluster(["an unsupported override"]);
