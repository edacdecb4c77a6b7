import { test } from "node:test";
import { informerMissesNothing } from "./testing/informer-property.ts";

// informer.long-test.ts runs more sequences.
test("an informer of the official client misses nothing, whatever happens to server and connections", () =>
  informerMissesNothing(6));
