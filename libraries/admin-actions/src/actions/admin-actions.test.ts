import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import type { ActionInput, ActionParameter } from "./action-parameter.ts";
import type { DeclaredAction } from "./admin-action.ts";
import { adminActions } from "./admin-actions.ts";

const document = readFileSync(new URL("../../../../docs/admin-actions.md", import.meta.url), "utf8");

describe("docs/admin-actions.md has the declared row of", () => {
  for (const action of adminActions)
    test(`${action.method} ${action.suffix}`, () => {
      const row = rowOf(action);
      assert.ok(document.includes(`\n${row}\n`), `expected the row ${row}`);
    });
});

test("the rows of docs/admin-actions.md are in the order of the declarations", () => {
  const places = adminActions.map((action) => document.indexOf(rowOf(action)));
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
});

function rowOf({ method, suffix, parameters, remarks }: DeclaredAction): string {
  const shown = parameters.filter((each) => each.in !== "caller").map(shownParameter);
  return `| \`${method} ${suffix}\` | ${shown.join(", ")} | ${remarks} |`.replaceAll("|  |", "| |");
}

function shownParameter({ name, in: place, type, default: byDefault }: ActionParameter): string {
  if (place === "body") return `body: ${name}`;
  return type === "boolean" ? `\`${name}\` (${byDefault})` : `\`${name}\``;
}

const inputOf = (query: Readonly<Record<string, string>>, body = ""): ActionInput => ({
  query: (name) => query[name],
  bodyBytes: () => Buffer.from(body),
  json: () => JSON.parse(body),
  read: (read) => read(JSON.parse(body)),
  hasRole: () => false,
  reason: undefined,
});

function action(name: string): DeclaredAction {
  const found = adminActions.find(({ method, suffix }) => `${method} ${suffix}` === name);
  assert.ok(found, name);
  return found;
}

describe("an action reads its parameters", () => {
  for (const [name, query, expected] of [
    [
      "POST cordonnode",
      { vmName: "a-master-0", shouldCordon: "TRUE" },
      { vmName: "a-master-0", shouldCordon: true },
    ],
    [
      "POST cordonnode",
      { vmName: "a-master-0", shouldCordon: "yes" },
      { vmName: "a-master-0", shouldCordon: false },
    ],
    ["POST stopvm", { vmName: "a-master-0" }, { vmName: "a-master-0", deallocateVM: false }],
    ["GET top/pods", {}, { allNamespaces: true }],
    ["GET top/pods", { allNamespaces: "false" }, { allNamespaces: false }],
    ["GET top/pods", { allNamespaces: "False" }, { allNamespaces: true }],
    [
      "POST resizecontrolplane",
      { vmSize: "Standard_D8s_v3" },
      { vmSize: "Standard_D8s_v3", deallocateVM: true },
    ],
    ["POST approvecsr", {}, { csrName: "", mayApproveAny: false }],
    [
      "GET kubernetespodlogs",
      { namespace: "openshift-etcd", podname: "etcd-0", container: "etcd" },
      { namespace: "openshift-etcd", pod: "etcd-0", container: "etcd" },
    ],
  ] as const)
    test(`${name} of ${JSON.stringify(query)}`, () =>
      assert.deepEqual(action(name).read(inputOf(query)), expected));
});

describe("an action rejects", () => {
  for (const [name, query, message] of [
    ["GET kubernetesobjects", { unrestricted: "maybe" }, /'unrestricted' must be 'true' or 'false'/],
    ["DELETE kubernetesobjects", { kind: "Node", force: "true" }, /[Ff]orce/],
    ["POST resizecontrolplane", { deallocateVM: "maybe" }, /deallocateVM value 'maybe' is invalid/],
    ["GET serialconsole", {}, /vmName parameter is required/],
    ["POST exec", {}, /body must not be empty/],
  ] as const)
    test(`${name} of ${JSON.stringify(query)}`, () =>
      assert.throws(() => action(name).read(inputOf(query)), message));
});

test("exec records its command without secrets", () => {
  const body = {
    namespace: "openshift-etcd",
    podName: "etcd-0",
    container: "etcd",
    command: "curl -H 'Authorization: Bearer abcdefghijklmnop'",
  };
  const exec = action("POST exec");
  const recorded = exec.recorded?.(exec.read(inputOf({}, JSON.stringify(body))));
  const { namespace, pod, container, command } = Object(recorded);
  assert.deepEqual([namespace, pod, container], ["openshift-etcd", "etcd-0", "etcd"]);
  assert.doesNotMatch(command, /abcdefghijklmnop/);
});

test("the allowed values of a parameter are those that it accepts", () => {
  const { parameters, read } = action("POST resizecontrolplane");
  const allowed = parameters.flatMap((each) => each.allowed ?? []);
  assert.ok(allowed.length > 0);
  for (const vmSize of allowed) assert.doesNotThrow(() => read(inputOf({ vmSize: vmSize.toLowerCase() })));
  assert.throws(() => read(inputOf({ vmSize: "Standard_A0" })), /unsupported for master/);
});
