import { test } from "node:test";
import { holdsCluster } from "../testing/hold-cluster.ts";

test("four times the largest supported cluster is within the limits of one scrape", () => holdsCluster(4));
