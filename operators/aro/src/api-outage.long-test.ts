import { describeShortOutages } from "./testing/short-outages.ts";

describeShortOutages([
  { kind: "code", code: 500 },
  { kind: "code", code: 429 },
  { kind: "code", code: 403 },
  { kind: "gone" },
  { kind: "silent" },
  { kind: "slow", ms: 150 },
]);
