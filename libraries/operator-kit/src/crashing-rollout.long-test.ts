import { test } from "node:test";
import { survivesCrashes } from "./testing/crash-property.ts";

test("whatever crashes, no revision changes or is numbered twice, no node has half of one, and all get the latest", () =>
  survivesCrashes(25));
