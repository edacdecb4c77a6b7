import { describeOperatedCluster } from "./testing/operated-cluster-suite.ts";

describeOperatedCluster([
  "the hostname of the internal registry",
  "the TLS profile",
  "a member of etcd",
  "an unsupported override",
  "the type of encryption",
]);
