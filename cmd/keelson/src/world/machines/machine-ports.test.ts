import assert from "node:assert/strict";
import { test } from "node:test";
import { freePortFlags, hostPort } from "./machine-ports.ts";

test("a machine's ports are where its units say that they listen", () => {
  const portal =
    '{"portal":"https://eastus.admin.example.com","https":4001,"ssh":4002,"metrics":"http://localhost:4003/metrics"}';
  const rp = '{"rp":"https://localhost:4004","metrics":"http://localhost:4005/metrics"}';
  const gateway =
    '{"connect":"http://0.0.0.0:4006","tls":"https://0.0.0.0:4007","metrics":"http://localhost:1/metrics"}';
  const found = [
    hostPort(["portal"], 444, `${portal}\n`),
    hostPort(["portal"], 2222, `not JSON\n${portal}\n`),
    hostPort(["rp"], 443, rp),
    hostPort(["gateway"], 80, gateway),
    hostPort(["gateway"], 443, gateway),
  ];
  assert.deepEqual(found, [4001, 4002, 4004, 4006, 4007]);
});

test("a unit that has not said where it listens, or listens nowhere else, has no port", () => {
  for (const [args, port, output] of [
    [["rp"], 443, ""],
    [["rp"], 443, '{"rp":"https://local'],
    [["rp"], 444, '{"rp":"https://localhost:1"}'],
    [["monitor"], 443, '{"metrics":"http://localhost:1/metrics"}'],
    [[], 443, '{"rp":"https://localhost:1"}'],
  ] as const)
    assert.equal(hostPort(args, port, output), undefined);
});

test("units take free ports; a program of another image is none that can run", () => {
  assert.deepEqual(freePortFlags(["rp", "--config", "x"]), ["--port", "0", "--metrics-port", "0"]);
  assert.equal(freePortFlags([]), undefined);
  assert.equal(freePortFlags(["serve"]), undefined);
});
