import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { scalarStringAt } from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import type { Api, Request } from "../api.ts";
import { absent, all, type ConformanceCase, exchange, matches } from "../case.ts";
import {
  configMap,
  configMaps,
  get,
  mergePatch,
  pod,
  pods,
  post,
  remove,
  serviceAccounts,
} from "../requests.ts";

const own = `${pods}/a`;
const onNode = (spec: object = {}, metadata: object = {}) =>
  post(pods, pod("a", metadata, { nodeName: "n", ...spec }));
const graceful = (gracePeriodSeconds: number) => remove(own, { gracePeriodSeconds });
const held = { finalizers: ["example.com/held"] };
const released = mergePatch(own, { metadata: { finalizers: null } });

interface DeletionCase {
  readonly name: string;
  /** Requests to send in order. Only the last response is checked. */
  readonly requests: readonly Request[];
  /** Expected grace period in the response, in seconds. */
  readonly period: number;
  /** Expected number of seconds between the first deletion and the deletion timestamp. */
  readonly after?: number;
  readonly isGone?: boolean;
  readonly finalizers?: readonly string[];
}

const cases: readonly DeletionCase[] = [
  { name: "a pod has the default grace period of its spec", requests: [onNode(), remove(own)], period: 30 },
  {
    name: "the grace period of a deletion applies to the pod",
    requests: [onNode(), graceful(60)],
    period: 60,
  },
  {
    name: "the pod's grace period applies if the deletion has none",
    requests: [onNode({ terminationGracePeriodSeconds: 7 }), remove(own)],
    period: 7,
  },
  {
    name: "a negative grace period is one second",
    requests: [onNode(), graceful(-5)],
    period: 1,
  },
  {
    name: "a second deletion has no effect",
    requests: [onNode(), remove(own), remove(own)],
    period: 30,
  },
  {
    name: "a later deletion with a longer grace period has no effect",
    requests: [onNode(), remove(own), graceful(60)],
    period: 30,
  },
  {
    name: "a shorter grace period is relative to the first deletion",
    requests: [onNode(), graceful(60), graceful(20)],
    period: 20,
    after: 20,
  },
  {
    name: "a later deletion with an equal grace period adds no finalizers",
    requests: [onNode(), remove(own), remove(own, { propagationPolicy: "Orphan" })],
    period: 30,
    finalizers: [],
  },
  {
    name: "a second deletion with grace period 0 removes the pod",
    requests: [onNode(), remove(own), graceful(0)],
    period: 0,
    isGone: true,
  },
  {
    name: "a deletion with grace period 0 removes a pod immediately",
    requests: [onNode(), remove(`${own}?gracePeriodSeconds=0`)],
    period: 0,
    isGone: true,
  },
  {
    name: "an unscheduled pod has no grace period",
    requests: [post(pods, pod("a")), graceful(60)],
    period: 0,
    isGone: true,
  },
  {
    name: "a completed pod has no grace period",
    requests: [onNode(), mergePatch(`${own}/status`, { status: { phase: "Succeeded" } }), graceful(60)],
    period: 0,
    isGone: true,
  },
  {
    name: "a pod with grace period 0 is removed immediately",
    requests: [onNode({ terminationGracePeriodSeconds: 0 }), remove(own)],
    period: 0,
    isGone: true,
  },
  {
    name: "finalizers delay the removal of a pod after its grace period",
    requests: [onNode({}, held), graceful(20), graceful(0)],
    period: 0,
    finalizers: held.finalizers,
  },
  {
    name: "a pod without finalizers remains until the end of its grace period",
    requests: [onNode({}, held), graceful(20), released],
    period: 20,
    finalizers: [],
  },
  {
    name: "a pod with an expired grace period is removed with its last finalizer",
    requests: [onNode({}, held), graceful(0), released],
    period: 0,
    isGone: true,
  },
  {
    name: "a dry-run deletion returns the grace period without effect",
    requests: [onNode(), remove(own, { dryRun: ["All"], gracePeriodSeconds: 9 })],
    period: 9,
  },
];

/** Conformance cases for grace periods of pods and the responses to deletions. */
export const podDeletionCases: readonly ConformanceCase[] = [
  ...cases.map(({ name, requests, period, after = period, isGone = false, finalizers }) => ({
    name,
    async run(api: Api) {
      const began = Math.floor(Date.now() / 1_000);
      const response = await all(api, requests);
      const ended = Date.now() / 1_000;
      matches(response, { kind: "Pod", metadata: { deletionGracePeriodSeconds: period } });
      const at = Date.parse(scalarStringAt(response, "metadata", "deletionTimestamp")) / 1_000;
      assert.ok(at >= began + after && at <= ended + after, `${at - began} s instead of ${after}`);
      if (finalizers) assert.deepEqual(objectAt(response, "metadata").finalizers ?? [], finalizers);
      assert.equal((await api.call(get(own))).status, isGone ? 404 : 200);
    },
  })),
  {
    name: "a pod with an expired shorter grace period gets one more second",
    async run(api) {
      await all(api, [onNode(), graceful(10)]);
      await delay(3_100);
      const began = Math.floor(Date.now() / 1_000);
      const response = await all(api, [graceful(2)]);
      matches(response, { metadata: { deletionGracePeriodSeconds: 1 } });
      const at = Date.parse(scalarStringAt(response, "metadata", "deletionTimestamp")) / 1_000;
      assert.ok(at >= began && at <= Date.now() / 1_000, `${at - began}`);
      matches(await all(api, [graceful(1)]), { metadata: { deletionGracePeriodSeconds: 1 } });
      matches(await all(api, [graceful(0)]), { metadata: { deletionGracePeriodSeconds: 0 } });
      assert.equal((await api.call(get(own))).status, 404);
    },
  },
  exchange({
    name: "a dry-run deletion does not change a pod",
    given: [onNode(), remove(own, { dryRun: ["All"] })],
    when: get(own),
    status: 200,
    body: { metadata: { deletionTimestamp: absent, deletionGracePeriodSeconds: absent } },
  }),
  exchange({
    name: "other kinds have no grace period",
    given: [post(configMaps, configMap("c", {}, held))],
    when: remove(`${configMaps}/c`, { gracePeriodSeconds: 60 }),
    status: 200,
    body: { kind: "ConfigMap", metadata: { deletionGracePeriodSeconds: 0, deletionTimestamp: /Z$/ } },
  }),
  exchange({
    name: "deletions of some kinds return the object",
    given: [post(serviceAccounts, { metadata: { name: "s" } })],
    when: remove(`${serviceAccounts}/s`),
    status: 200,
    body: { kind: "ServiceAccount", metadata: { name: "s", deletionTimestamp: absent } },
  }),
  exchange({
    name: "deletions of other kinds return a Status",
    given: [post(configMaps, configMap("c"))],
    when: remove(`${configMaps}/c`),
    status: 200,
    body: { kind: "Status", status: "Success", details: { name: "c", kind: "configmaps", uid: /./ } },
  }),
  exchange({
    name: "a dry-run deletion of an object with finalizers returns it as terminating",
    given: [post(configMaps, configMap("c", {}, held))],
    when: remove(`${configMaps}/c`, { dryRun: ["All"] }),
    status: 200,
    body: { kind: "ConfigMap", metadata: { deletionTimestamp: /Z$/, deletionGracePeriodSeconds: 0 } },
  }),
];
