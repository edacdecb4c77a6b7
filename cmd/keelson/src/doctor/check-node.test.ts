import assert from "node:assert/strict";
import { test } from "node:test";
import { checkNode } from "./check-node.ts";

for (const { version, status, summary } of [
  { version: "24.15.0", status: "ok", summary: /24\.15\.0 is supported/ },
  { version: "24.16.0", status: "warning", summary: /TCP reset during a TLS handshake.*works around it/ },
  { version: "24.21.0", status: "warning", summary: /24\.16\.0 to 24\.21\.0/ },
  { version: "24.22.0", status: "ok", summary: /is supported/ },
  { version: "24.100.0", status: "ok", summary: /is supported/ },
  { version: "26.10.0", status: "ok", summary: /is supported/ },
  { version: "22.22.0", status: "warning", summary: /22\.22\.0 is not supported/ },
  { version: "25.1.0", status: "warning", summary: /25\.1\.0 is not supported/ },
])
  test(`Node.js ${version}: ${status}`, () => {
    const found = checkNode(version);
    assert.equal(found.status, status);
    assert.match(found.summary, summary);
    assert.equal(found.remedy === undefined, status === "ok");
  });
