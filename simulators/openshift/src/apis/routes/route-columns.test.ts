import assert from "node:assert/strict";
import { test } from "node:test";
import { routeColumns } from "./route-columns.ts";

const to = { kind: "Service", name: "web", weight: 100 };
const ingress = (host: string, status: string, reason?: string) => ({
  host,
  conditions: [{ type: "Admitted", status, ...(reason === undefined ? {} : { reason }) }],
});

/** Returns the computed cells of a route by column name. */
function cells(spec: object, entries?: readonly object[]): Readonly<Record<string, unknown>> {
  const route = {
    apiVersion: "route.openshift.io/v1",
    kind: "Route",
    metadata: { name: "web" },
    spec: { host: "a.example", to, ...spec },
    ...(entries ? { status: { ingress: entries } } : {}),
  };
  const computed = routeColumns.filter(({ cell }) => cell !== undefined);
  return Object.fromEntries(computed.map(({ name, cell }) => [name, cell?.(route, new Date(0))]));
}

for (const [what, entries, shown] of [
  ["no router took", undefined, "a.example"],
  ["one router took", [ingress("a.example", "True")], "a.example"],
  ["two routers took", [ingress("b.example", "True"), ingress("a.example", "True")], "a.example ... 1 more"],
  [
    "one of two refused",
    [ingress("a.example", "True"), ingress("a.example", "False", "HostAlreadyClaimed")],
    "a.example ... 1 rejected",
  ],
  ["all refused", [ingress("a.example", "False", "HostAlreadyClaimed")], "HostAlreadyClaimed"],
  ["a router has not decided about", [{ host: "a.example" }], "Pending"],
] as const) {
  test(`the host of a route that ${what}`, () => {
    assert.equal(cells({}, entries)["Host/Port"], shown);
  });
}

test("services have weights if there are several", () => {
  const other = { kind: "Service", name: "next", weight: 50 };
  assert.equal(cells({}).Services, "web");
  assert.equal(cells({ alternateBackends: [other] }).Services, "web(66%),next(33%)");
  assert.equal(cells({ to: { ...to, weight: 0 } }).Services, "web(0%)");
});

test("ports and terminations that are left out", () => {
  assert.deepEqual([cells({}).Port, cells({}).Termination], ["<all>", ""]);
  const tls = { termination: "reencrypt", insecureEdgeTerminationPolicy: "Redirect" };
  const route = cells({ port: { targetPort: "https" }, tls });
  assert.deepEqual([route.Port, route.Termination], ["https", "reencrypt/Redirect"]);
});
