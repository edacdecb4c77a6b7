import { describeHostileData } from "./testing/hostile-data-suite.ts";

// This test runs few iterations. hostile-data.long-test.ts runs more iterations.
describeHostileData(5, 20_261_124);
