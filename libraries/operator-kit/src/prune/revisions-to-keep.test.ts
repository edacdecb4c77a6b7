import assert from "node:assert/strict";
import { test } from "node:test";
import { type NodeStatus, newNodeStatus } from "../static-pod/node-status.ts";
import { revisionsToKeep } from "./revisions-to-keep.ts";

const node = (status: Partial<NodeStatus>): NodeStatus => ({ ...newNodeStatus("a", undefined), ...status });
const at = (currentRevision: number) => node({ currentRevision });

const cases: readonly {
  readonly name: string;
  readonly nodes: readonly NodeStatus[];
  readonly latest: number;
  readonly failed?: number;
  readonly succeeded?: number;
  readonly kept: readonly number[] | undefined;
}[] = [
  { name: "all nodes are at the latest", nodes: [at(10), at(10)], latest: 10, kept: [6, 7, 8, 9, 10] },
  { name: "a node is behind", nodes: [at(10), at(7)], latest: 12, kept: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12] },
  { name: "few revisions were made", nodes: [at(4)], latest: 4, kept: undefined },
  {
    name: "acceptance 24: one of each is enough",
    nodes: [at(2)],
    latest: 4,
    failed: 1,
    succeeded: 1,
    kept: [2, 4],
  },
  {
    name: "a node failed",
    nodes: [node({ currentRevision: 9, lastFailedRevision: 5 })],
    latest: 9,
    failed: 2,
    succeeded: 1,
    kept: [4, 5, 9],
  },
  {
    name: "a node is in transition",
    nodes: [node({ currentRevision: 5, targetRevision: 8 })],
    latest: 9,
    failed: 1,
    succeeded: 1,
    kept: [5, 8, 9],
  },
  { name: "succeeded ones are unlimited", nodes: [at(10)], latest: 10, succeeded: -1, kept: undefined },
  {
    name: "failed ones are unlimited while some may fail",
    nodes: [at(9)],
    latest: 10,
    failed: -1,
    kept: undefined,
  },
  {
    name: "failed ones are unlimited and a failure is impossible",
    nodes: [at(10)],
    latest: 10,
    failed: -1,
    succeeded: 1,
    kept: [10],
  },
];
for (const { name, nodes, latest, failed = 5, succeeded = 5, kept } of cases)
  test(`revisions stay when ${name}: ${kept ?? "all"}`, () =>
    assert.deepEqual(revisionsToKeep(nodes, latest, { failed, succeeded }), kept));
