import assert from "node:assert/strict";
import { test } from "node:test";
import { failureKind } from "./client-failure.ts";

const handshake = "Unable to connect to the server: net/http: TLS handshake timeout";
const inTime = { startedMs: 5_000, endedMs: 5_200 };
const late = { startedMs: 4_000, endedMs: 14_500 };

const rows: readonly (readonly [string, string, readonly object[], string])[] = [
  ["a handshake limit without a late response", handshake, [inTime], "client-limit"],
  ["a dial limit", "dial tcp 127.0.0.1:6443: i/o timeout", [], "client-limit"],
  ["a connect limit of undici", "UND_ERR_CONNECT_TIMEOUT: Connect Timeout Error", [inTime], "client-limit"],
  ["a handshake limit beside a late response", handshake, [inTime, late], "failed"],
  ["a late response before the request", handshake, [{ startedMs: -20_000, endedMs: -1 }], "client-limit"],
  ["a reset", "ECONNRESET: read ECONNRESET", [], "failed"],
  ["a refused connection", "dial tcp 127.0.0.1:6443: connect: connection refused", [], "failed"],
  ["a limit for the response", "Client.Timeout exceeded while awaiting headers", [], "failed"],
  ["a status", "503 service unavailable", [], "failed"],
];

for (const [title, failure, others, kind] of rows)
  test(`${title} is "${kind}"`, () => {
    const failed = { startedMs: 0, endedMs: 10_000, failure };
    assert.equal(failureKind(failed, others as (typeof inTime)[]), kind);
  });
