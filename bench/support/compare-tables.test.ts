import assert from "node:assert/strict";
import { test } from "node:test";
import { compareRounds, parseFigures } from "./compare-tables.ts";

const output = (gets: string, start: string) => `node 24.21.0, 2 cores, AMD EPYC

ARM API on PostgreSQL, HTTPS   req/s  p50 ms  ratio
GET cluster, 16 connections  ${gets}    0.71  0.443
PUT new cluster              856    9.10   none

service on embedded defaults   figure  unit
first start, nothing there       ${start}    ms
resident memory, no cluster       0    MB
`;

test("figures are named by row and column, or by row and unit", () => {
  assert.deepEqual(
    [...parseFigures(output("19776", "4114"))],
    [
      ["GET cluster, 16 connections, req/s", 19_776],
      ["GET cluster, 16 connections, p50 ms", 0.71],
      ["GET cluster, 16 connections, ratio", 0.443],
      ["PUT new cluster, req/s", 856],
      ["PUT new cluster, p50 ms", 9.1],
      ["first start, nothing there, ms", 4114],
      ["resident memory, no cluster, MB", 0],
    ],
  );
});

test("each ratio compares two consecutive runs", () => {
  const rounds = [
    ["1000", "1100"],
    ["2000", "1940"],
    ["1000", "1030"],
  ].map(([base = "", head = ""]) => ({
    base: parseFigures(output(base, "4000")),
    head: parseFigures(output(head, "4000")),
  }));
  const [gets, ...others] = compareRounds(rounds);
  assert.deepEqual(gets, {
    name: "GET cluster, 16 connections, req/s",
    base: 1000,
    head: 1100,
    ratio: 1.03,
    least: 0.97,
    most: 1.1,
  });
  assert.ok(others.every(({ ratio, least, most }) => ratio === 1 && least === 1 && most === 1));
  assert.ok(!others.some(({ name }) => name.includes("resident memory")), "0 has no ratio");
});

test("figures that one run did not print are left out", () => {
  const [base, head] = [parseFigures(output("1000", "4000")), parseFigures("")];
  assert.deepEqual(compareRounds([{ base, head }]), []);
  assert.deepEqual(compareRounds([]), []);
});
