import assert from "node:assert/strict";
import { test } from "node:test";
import { caseName, crashCases, remainingCases, victims } from "./crash-case.ts";

test("the matrix has two signals in two situations, a suspension and many clusters for each process", () => {
  const names = crashCases(50).map(caseName);
  assert.equal(new Set(names).size, names.length);
  for (const victim of victims)
    assert.deepEqual(
      names.filter((name) => name.startsWith(victim)),
      [
        "SIGKILL idle 1",
        "SIGKILL installing 1",
        "SIGABRT idle 1",
        "SIGABRT installing 1",
        "SIGSTOP idle 1",
        "SIGKILL idle 50",
      ].map((name) => `${victim} ${name}`),
    );
  assert.deepEqual(
    names.slice(-victims.length),
    victims.map((victim) => `${victim} SIGKILL idle 50`),
  );
  assert.ok(crashCases(1).every(({ clusters }) => clusters === 1));
});

test("cases with a row are done, and the others remain in their order", () => {
  const cases = crashCases(50);
  const [first, second] = cases;
  assert.ok(first && second);
  assert.deepEqual(remainingCases(cases, [{ case: second }]).slice(0, 2), [first, cases[2]]);
  assert.deepEqual(
    remainingCases(
      cases,
      cases.map((each) => ({ case: each })),
    ),
    [],
  );
  assert.deepEqual(remainingCases(cases, [], "azure SIGABRT").map(caseName), [
    "azure SIGABRT idle 1",
    "azure SIGABRT installing 1",
  ]);
});
