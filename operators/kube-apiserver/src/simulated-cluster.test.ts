import { describeOperatedCluster } from "./testing/operated-cluster-suite.ts";

// simulated-cluster.long-test.ts tests the other changes.
describeOperatedCluster(["the TLS profile", "an unsupported override"]);
