import { test } from "node:test";
import { survivesCrashes } from "./testing/crashing-operations.ts";

test(
  "while Azure fails temporarily, an install that dies 8 times at random moments and drains once succeeds; so does a deletion that dies",
  {
    timeout: 900_000,
  },
  () => survivesCrashes(8, 3),
);
