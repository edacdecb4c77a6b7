/** Tests that objects with arbitrary content result in valid responses, so that no object can break a page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeClient, KubeObject } from "@keelson/kube";
import {
  clusterEventsSchema,
  clusterOperatorsSchema,
  customKindsSchema,
  machineSetsSchema,
  machinesSchema,
  nodesSchema,
  podsSchema,
} from "@keelson/portal-api";
import fc from "fast-check";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import { readClusterOperators } from "../clusters/cluster-operators.ts";
import { readMachineSets, readMachines } from "../clusters/machines.ts";
import { readNodes } from "../clusters/nodes.ts";
import { readEvents } from "./events.ts";
import { readCustomKinds } from "./objects.ts";
import { readPods } from "./pods.ts";

const everywhere = () => true;
const reads: Readonly<
  Record<string, readonly [TSchema, (kube: KubeClient, signal: AbortSignal) => Promise<unknown>]>
> = {
  pods: [podsSchema, (kube, signal) => readPods(kube, everywhere, signal)],
  events: [clusterEventsSchema, (kube, signal) => readEvents(kube, everywhere, signal)],
  "custom kinds": [customKindsSchema, readCustomKinds],
  nodes: [nodesSchema, readNodes],
  machines: [machinesSchema, readMachines],
  "machine sets": [machineSetsSchema, readMachineSets],
  "cluster operators": [clusterOperatorsSchema, readClusterOperators],
};

/** Fields that the portal's readers use. In this test, their values have any type and any depth. */
const fields = [
  "name",
  "namespace",
  "labels",
  "annotations",
  "creationTimestamp",
  "status",
  "spec",
  "conditions",
  "containers",
  "containerStatuses",
  "initContainers",
  "state",
  "waiting",
  "reason",
  "restartCount",
  "count",
  "series",
  "involvedObject",
  "kind",
  "type",
  "message",
  "lastTimestamp",
  "replicas",
  "template",
  "versions",
  "names",
  "capacity",
  "usage",
  "cpu",
  "memory",
  "taints",
  "addresses",
] as const;
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "medium" },
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      Number.MAX_VALUE,
      1.5,
      "",
      "x",
      "2026-01-01T00:00:00Z",
      "__proto__",
    ),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...fields), tie("value"), { maxKeys: 6, noNullPrototype: true }),
  ),
}));
const object = fc.tuple(value, value, value, value).map(([metadata, spec, status, usage]) => ({
  apiVersion: "v1",
  kind: "Any",
  metadata: { ...Object(metadata), name: "a" },
  spec,
  status,
  usage,
  series: usage,
  involvedObject: spec,
  count: status,
}));

for (const [name, [schema, read]] of Object.entries(reads))
  test(`${name} of any content are returned in their declared form`, async () => {
    const signal = AbortSignal.timeout(300_000);
    await fc.assert(
      fc.asyncProperty(fc.array(object, { maxLength: 4 }), async (items) => {
        const list = async () => ({ items: items as unknown as readonly KubeObject[] });
        const response = await read({ list } as unknown as KubeClient, signal);
        assert.deepEqual([...Value.Errors(schema, JSON.parse(JSON.stringify(response)))], []);
      }),
      { numRuns: 150 },
    );
  });
