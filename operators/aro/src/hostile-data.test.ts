import { describeHostileData } from "./testing/hostile-data-suite.ts";

// hostile-data.long-test.ts runs more rounds.
describeHostileData(5, 20_261_124);
