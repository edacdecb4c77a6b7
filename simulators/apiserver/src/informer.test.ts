import { test } from "node:test";
import { informerMissesNothing } from "./testing/informer-property.ts";

// informer.long-test.ts tests more sequences.
test("an informer of the official client misses no change despite restarts and disconnects", () =>
  informerMissesNothing(6));
