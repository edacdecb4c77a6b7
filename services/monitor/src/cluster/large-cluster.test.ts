import { test } from "node:test";
import { holdsCluster } from "../testing/hold-cluster.ts";

test("a fifth of the largest supported cluster is within the limits of one scrape", () => holdsCluster(0.2));
