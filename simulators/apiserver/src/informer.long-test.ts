import { test } from "node:test";
import { informerMissesNothing } from "./testing/informer-property.ts";

test("an informer of the official client misses no change despite restarts and disconnects", () =>
  informerMissesNothing(25));
