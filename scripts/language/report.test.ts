import assert from "node:assert/strict";
import { test } from "node:test";
import { formatReport, WordStatistics } from "./report.ts";

test("the report has counts per package and rates per 10,000 words of comments, strings and documents", () => {
  const statistics = new WordStatistics();
  statistics.add("libraries/base/src/a.ts", '// Says it: one; two: three.\nf("said one two three");');
  statistics.add("docs/a.md", "It says a `said` text.");
  const report = formatReport(statistics, { docs: { word: 2 }, "libraries/base": { agent: 1, word: 1 } });
  const row = (name: string) =>
    report
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.split(/ {2,}/);
  assert.deepEqual(row("docs"), ["docs", "5", "0", "0", "0", "0", "0", "0", "2"]);
  assert.deepEqual(row("libraries/base"), ["libraries/base", "9", "1", "0", "0", "0", "0", "0", "1"]);
  assert.deepEqual(row("total"), ["total", "14", "1", "0", "0", "0", "0", "0", "3"]);
  assert.deepEqual(row("say, says, said, saying"), ["say, says, said, saying", "2000.0", "2500.0", "2000.0"]);
  assert.deepEqual(row("text, texts"), ["text, texts", "0.0", "0.0", "2000.0"]);
  assert.deepEqual(row("two colons")?.[1], "2000.0");
});
