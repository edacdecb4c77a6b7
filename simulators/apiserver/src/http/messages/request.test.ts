import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { parseTarget } from "./request.ts";

const cases: readonly (readonly [string, string | undefined, string?])[] = [
  ["/clusters/demo/api/v1/nodes/a", "demo", "nodes"],
  ["/clusters/demo", "demo"],
  // `oc adm node-logs` repeats the path of the server URL.
  ["/clusters/demo/clusters/demo/api/v1/nodes/a", "demo", "nodes"],
  ["/clusters/demo/clusters/demo2/api/v1/nodes/a", "demo"],
  ["/clusters/demo/clusters/other/api/v1/nodes/a", "demo"],
  ["/api/v1/nodes/a", undefined],
];
for (const [url, cluster, resource] of cases)
  test(`${url} selects ${cluster ?? "no cluster"} and ${resource ?? "no resource"}`, () => {
    const request = Object.assign(new IncomingMessage(new Socket()), { method: "GET", url });
    const target = parseTarget(request);
    assert.equal(target?.cluster, cluster);
    assert.equal(scalarStringAt(target?.info, "resource") || undefined, resource);
  });
