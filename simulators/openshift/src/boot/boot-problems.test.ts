import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger } from "@keelson/base";
import { BootProblems } from "./boot-problems.ts";

const machine = { id: "/subscriptions/S/m", name: "demo-x7k2p-bootstrap" };
const sameMachine = { ...machine, id: machine.id.toLowerCase() };

function recorded(fails = false) {
  const reports: (string | undefined)[] = [];
  const problems = new BootProblems(async (_id, problem) => {
    reports.push(problem);
    if (fails) throw new Error("unreachable");
  }, silentLogger);
  return { problems, reports };
}

test("a reason is reported once, and again after a change", async () => {
  const { problems, reports } = recorded();
  for (const reason of ["a", "a", "b"]) await problems.add("demo-x7k2p", machine, reason);
  assert.deepEqual(reports, ["a", "b"]);
  assert.deepEqual(
    problems.list().map(({ parameters }) => parameters.reason),
    ["b"],
  );
});

test("a machine that booted is reported only if it had a problem", async () => {
  const { problems, reports } = recorded();
  await problems.resolve(machine);
  await problems.add("demo-x7k2p", machine, "a");
  await problems.resolve(sameMachine);
  assert.deepEqual(reports, ["a", undefined]);
  assert.deepEqual(problems.list(), []);
});

test("a deleted machine is forgotten without a report", async () => {
  const { problems, reports } = recorded();
  await problems.add("demo-x7k2p", machine, "a");
  problems.forget(sameMachine);
  assert.deepEqual([reports, problems.list()], [["a"], []]);
});

test("a failed report changes nothing", async () => {
  const { problems } = recorded(true);
  await problems.add("demo-x7k2p", machine, "a");
  assert.equal(problems.list().length, 1);
});
