import assert from "node:assert/strict";
import { test } from "node:test";
import { combined, type Verdict, valid, verdictOf } from "./verdict.ts";

for (const [text, status] of [
  ["AADSTS7000215: Invalid client secret provided.", "False"],
  ["AADSTS700016: Application with identifier 'x' was not found in the directory 'y'.", "False"],
  ["AADSTS7000222: The provided client secret keys are expired.", "False"],
  ["AADSTS7000112: Application 'x' is disabled.", "False"],
  ["AADSTS700213: No matching federated identity record found.", "False"],
  ["AADSTS90033: A transient error has occurred.", "Unknown"],
  ["AADSTS70002150: something else", "Unknown"],
  ["connect ECONNREFUSED", "Unknown"],
] as const) {
  test(`${text} is ${status}`, () => {
    const verdict = verdictOf(new Error(`${text} Trace ID: 1234`));
    const message = status === "False" ? text : `Unable to validate: ${text}`;
    assert.deepEqual(verdict, { status, message });
  });
}

const no = (message: string): Verdict => ({ status: "False", message });
const unknown = (message: string): Verdict => ({ status: "Unknown", message });

for (const [name, verdicts, expected] of [
  ["nothing wrong", [valid, valid], valid],
  ["nothing checked", [], valid],
  ["something not known", [valid, unknown("a")], unknown("a")],
  ["something wrong, something not known", [unknown("a"), no("b")], no("b")],
  ["several things wrong, in any order", [no("b"), no("a"), no("b")], no("a\nb")],
] as const) {
  test(`${name} is ${expected.status}`, () => assert.deepEqual(combined(verdicts), expected));
}
