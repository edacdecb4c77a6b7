import { describeHostileData } from "./testing/hostile-data-suite.ts";

describeHostileData(15, 20_261_124);
