import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { LeadershipLost } from "@keelson/controller";
import { cliErrors } from "./cli-errors.ts";
import { failureText } from "./failure-text.ts";

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

test("what the system refuses is said without a stack", () => {
  const refusals = [
    [cliErrors.PortTaken("port 1 is in use"), /^port 1 is in use$/],
    [thrownBy(() => readFileSync("/no/such/file")), /^ENOENT: [^\n]*$/],
    [thrownBy(() => new DatabaseSync("/no/such/file")), /^unable to open database file$/],
  ] as const;
  for (const [error, says] of refusals) assert.match(failureText(error), says);
});

test("a lost lease and a used port are printed with the remedy and without a stack", () => {
  assert.equal(
    failureText(new LeadershipLost("a could not renew its lease in time")),
    "a could not renew its lease in time: another process leads now, start again to wait",
  );
  const taken = Object.assign(new Error("listen EADDRINUSE: address already in use 0.0.0.0:8080"), {
    code: "EADDRINUSE",
    syscall: "listen",
  });
  assert.match(
    failureText(taken),
    /^listen EADDRINUSE: [^\n]*8080: [^\n]*--help names the options for other ports$/,
  );
});

test("an unexpected error is printed with its stack", () => {
  assert.match(failureText(new TypeError("x is undefined")), /TypeError: x is undefined\n +at /);
  assert.equal(failureText("torn"), "torn");
});

test("of a failure and those of the disposals after it the first is said", () => {
  const first = cliErrors.StateUnreadable("the disk is full");
  const both = new SuppressedError(new Error("cannot close"), first);
  assert.equal(failureText(new SuppressedError(new Error("nor that"), both)), "the disk is full");
});
