import { describeOperatedCluster } from "./testing/operated-cluster-suite.ts";

// simulated-cluster.long-test.ts rolls out the other observed inputs.
describeOperatedCluster(["the TLS profile", "an unsupported override"]);
