import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ActionForm } from "@keelson/portal-api";
import { curlCommand, tokenCommand } from "./curl-command.ts";
import { fieldsOf, inputOf, problemOf } from "./form-values.ts";

const form = (action: string, parameters: ActionForm["parameters"]): ActionForm => ({
  ...{ action, parameters, summary: "", remarks: "", role: "operator", changes: true, destructive: false },
  ...{ allowed: true, needsReason: false, needsApproval: false },
});
const stop = form("POST stopvm", [
  { name: "vmName", in: "query", type: "string", required: true },
  { name: "deallocateVM", in: "query", type: "boolean", required: false, default: false },
]);
const resize = form("POST resize", [
  { name: "deallocateVM", in: "query", type: "boolean", required: false, default: true },
  { name: "vmSize", in: "query", type: "string", required: true, allowed: ["A", "B"] },
]);
const exec = form("POST exec", [
  { name: "pod, command", in: "body", type: "object", required: true, fields: ["pod", "command"] },
]);
const job = form("POST runjob", [{ name: "a Job", in: "body", type: "object", required: true }]);

test("fields follow from the parameters", () => {
  const kinds = [stop, resize, exec, job].map((each) =>
    fieldsOf(each).map(({ name, kind }) => `${name}:${kind}`),
  );
  assert.deepEqual(kinds, [
    ["vmName:text", "deallocateVM:boolean"],
    ["deallocateVM:boolean", "vmSize:choice"],
    ["pod:text", "command:command"],
    ["a Job:json"],
  ]);
});

for (const [each, values, problem] of [
  [stop, {}, "'vmName' is required."],
  [stop, { vmName: " " }, "'vmName' is required."],
  [stop, { vmName: "a" }, undefined],
  [exec, { pod: "a" }, "'command' is required."],
  [job, { "a Job": "[1]" }, "'a Job' must be a JSON object."],
  [job, { "a Job": "{" }, "'a Job' must be a JSON object."],
  [job, { "a Job": "{}" }, undefined],
] as const)
  test(`the problem of ${JSON.stringify(values)} for ${each.action} is ${problem}`, () =>
    assert.equal(problemOf(each, values), problem));

describe("input", () => {
  test("has the values that differ from their defaults", () => {
    assert.deepEqual(inputOf(stop, { vmName: " a ", deallocateVM: "false" }), { query: { vmName: "a" } });
    assert.deepEqual(inputOf(stop, { vmName: "a", deallocateVM: "true" }), {
      query: { vmName: "a", deallocateVM: "true" },
    });
    assert.deepEqual(inputOf(resize, { vmSize: "A", deallocateVM: "false" }), {
      query: { vmSize: "A", deallocateVM: "false" },
    });
  });
  test("has the fields of a body, or its JSON", () => {
    assert.deepEqual(inputOf(exec, { pod: "p", command: "a 'b'" }), {
      query: {},
      body: { pod: "p", command: "a 'b'" },
    });
    assert.deepEqual(inputOf(job, { "a Job": '{"kind":"Job"}' }), { query: {}, body: { kind: "Job" } });
  });
});

test("a command for curl quotes for a shell, and has no token", () => {
  assert.equal(
    curlCommand(
      "https://a:1",
      "/subscriptions/s/x",
      exec,
      { query: { q: "a b" }, body: { command: "echo 'x'" } },
      "it's",
    ),
    "curl -X POST 'https://a:1/admin/subscriptions/s/x/exec?q=a+b' -H \"Authorization: Bearer $TOKEN\" " +
      "-H 'X-Keelson-Reason: it'\\''s' -H 'Content-Type: application/json' -d '{\"command\":\"echo '\\''x'\\''\"}'",
  );
  assert.equal(
    curlCommand("https://a", "/r", { action: "GET top/nodes" }, { query: {} }, ""),
    "curl 'https://a/admin/r/top/nodes' -H \"Authorization: Bearer $TOKEN\"",
  );
  assert.equal(
    tokenCommand("api://a'b/.default"),
    "TOKEN=$(az account get-access-token --scope 'api://a'\\''b/.default' --query accessToken --output tsv)",
  );
});
