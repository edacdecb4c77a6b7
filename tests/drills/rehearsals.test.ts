import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { rehearsals } from "./rehearsals.ts";

const document = readFileSync(new URL("../../docs/runbooks.md", import.meta.url), "utf8");
const [, chapter = ""] = /^## Drills$([\s\S]*?)^## /m.exec(document) ?? [];
/** Table cells of the drills in docs/runbooks.md, by fault. */
const documented = new Map(
  chapter
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| fault"))
    .map((line) => line.split(" | "))
    .map(([fault = "", ...cells]) => [fault.replace(/^\| /, ""), cells] as const),
);

test("each documented drill has a rehearsal, with the documented alert and check of keelson doctor", () => {
  assert.deepEqual(rehearsals.map(({ fault }) => fault).sort(), [...documented.keys()].sort());
  for (const { fault, alert, doctor } of rehearsals) {
    const [, alerts = "", report = ""] = documented.get(fault) ?? [];
    if (alert === undefined) assert.match(alerts, /^no alert/, fault);
    else assert.ok(alerts.includes(`\`${alert}\``), `${fault}: ${alerts}`);
    if (doctor === undefined) assert.match(report, /^no finding/, fault);
    else assert.ok(report.includes(`\`${doctor.check}\``), `${fault}: ${report}`);
  }
});
