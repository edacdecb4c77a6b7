import assert from "node:assert/strict";
import { test } from "node:test";
import { gatewayPart, type Part, rpParts, unitName } from "./parts.ts";
import { unitFiles } from "./units.ts";

const machines: readonly (readonly [string, readonly Part[], boolean])[] = [
  ["a resource provider", rpParts("info", true), true],
  ["a gateway", [gatewayPart("/etc/keelson/gateway.json", "info")], false],
];

for (const [title, parts, withSettings] of machines)
  test(`systemd restarts every part of ${title} after every exit`, () => {
    const units = unitFiles("registry.example/keelson:v1", parts, withSettings);
    for (const part of parts) {
      const lines = units.find(({ name }) => name === unitName(part))?.content.split("\n") ?? [];
      for (const line of ["Restart=always", "RestartSec=5", "StartLimitIntervalSec=0"])
        assert.ok(lines.includes(line), `${unitName(part)}: ${line}`);
    }
  });
