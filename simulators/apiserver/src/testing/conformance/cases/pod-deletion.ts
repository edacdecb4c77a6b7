import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { recordAt, textAt } from "@keelson/apimachinery";
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
  /** Sequential requests. The last response is checked. */
  readonly requests: readonly Request[];
  /** Expected grace period in the response. */
  readonly period: number;
  /** Seconds from the first deletion to the expected deletion timestamp. */
  readonly after?: number;
  readonly isGone?: boolean;
  readonly finalizers?: readonly string[];
}

const cases: readonly DeletionCase[] = [
  { name: "a pod has the time to stop that it asks for", requests: [onNode(), remove(own)], period: 30 },
  {
    name: "a pod has as long as its deletion says",
    requests: [onNode(), graceful(60)],
    period: 60,
  },
  {
    name: "a pod's own time counts where the deletion says none",
    requests: [onNode({ terminationGracePeriodSeconds: 7 }), remove(own)],
    period: 7,
  },
  {
    name: "a negative time is one second",
    requests: [onNode(), graceful(-5)],
    period: 1,
  },
  {
    name: "a second deletion changes nothing",
    requests: [onNode(), remove(own), remove(own)],
    period: 30,
  },
  {
    name: "a longer deletion changes nothing",
    requests: [onNode(), remove(own), graceful(60)],
    period: 30,
  },
  {
    name: "a shorter deletion counts from the first one",
    requests: [onNode(), graceful(60), graceful(20)],
    period: 20,
    after: 20,
  },
  {
    name: "a deletion that is as long adds no finalizers",
    requests: [onNode(), remove(own), remove(own, { propagationPolicy: "Orphan" })],
    period: 30,
    finalizers: [],
  },
  {
    name: "a deletion without time ends the pod",
    requests: [onNode(), remove(own), graceful(0)],
    period: 0,
    isGone: true,
  },
  {
    name: "a deletion without time ends a pod at once",
    requests: [onNode(), remove(`${own}?gracePeriodSeconds=0`)],
    period: 0,
    isGone: true,
  },
  {
    name: "a pod without a node needs no time",
    requests: [post(pods, pod("a")), graceful(60)],
    period: 0,
    isGone: true,
  },
  {
    name: "a pod that has ended needs no time",
    requests: [onNode(), mergePatch(`${own}/status`, { status: { phase: "Succeeded" } }), graceful(60)],
    period: 0,
    isGone: true,
  },
  {
    name: "a pod that needs no time has none",
    requests: [onNode({ terminationGracePeriodSeconds: 0 }), remove(own)],
    period: 0,
    isGone: true,
  },
  {
    name: "finalizers hold a pod whose time is up",
    requests: [onNode({}, held), graceful(20), graceful(0)],
    period: 0,
    finalizers: held.finalizers,
  },
  {
    name: "a pod whose finalizers went still has its time",
    requests: [onNode({}, held), graceful(20), released],
    period: 20,
    finalizers: [],
  },
  {
    name: "a pod whose time is up goes with its last finalizer",
    requests: [onNode({}, held), graceful(0), released],
    period: 0,
    isGone: true,
  },
  {
    name: "a trial deletion shows the time, and changes nothing",
    requests: [onNode(), remove(own, { dryRun: ["All"], gracePeriodSeconds: 9 })],
    period: 9,
  },
];

/** Grace periods of pods and the responses to deletions. */
export const podDeletionCases: readonly ConformanceCase[] = [
  ...cases.map(({ name, requests, period, after = period, isGone = false, finalizers }) => ({
    name,
    async run(api: Api) {
      const began = Math.floor(Date.now() / 1_000);
      const answer = await all(api, requests);
      const ended = Date.now() / 1_000;
      matches(answer, { kind: "Pod", metadata: { deletionGracePeriodSeconds: period } });
      const at = Date.parse(textAt(answer, "metadata", "deletionTimestamp")) / 1_000;
      assert.ok(at >= began + after && at <= ended + after, `${at - began} s instead of ${after}`);
      if (finalizers) assert.deepEqual(recordAt(answer, "metadata").finalizers ?? [], finalizers);
      assert.equal((await api.call(get(own))).status, isGone ? 404 : 200);
    },
  })),
  {
    name: "a pod whose shorter time is over has one more second",
    async run(api) {
      await all(api, [onNode(), graceful(10)]);
      await delay(3_100);
      const began = Math.floor(Date.now() / 1_000);
      const answer = await all(api, [graceful(2)]);
      matches(answer, { metadata: { deletionGracePeriodSeconds: 1 } });
      const at = Date.parse(textAt(answer, "metadata", "deletionTimestamp")) / 1_000;
      assert.ok(at >= began && at <= Date.now() / 1_000, `${at - began}`);
      matches(await all(api, [graceful(1)]), { metadata: { deletionGracePeriodSeconds: 1 } });
      matches(await all(api, [graceful(0)]), { metadata: { deletionGracePeriodSeconds: 0 } });
      assert.equal((await api.call(get(own))).status, 404);
    },
  },
  exchange({
    name: "a trial deletion leaves a pod as it is",
    given: [onNode(), remove(own, { dryRun: ["All"] })],
    when: get(own),
    status: 200,
    body: { metadata: { deletionTimestamp: absent, deletionGracePeriodSeconds: absent } },
  }),
  exchange({
    name: "other kinds have no time to stop",
    given: [post(configMaps, configMap("c", {}, held))],
    when: remove(`${configMaps}/c`, { gracePeriodSeconds: 60 }),
    status: 200,
    body: { kind: "ConfigMap", metadata: { deletionGracePeriodSeconds: 0, deletionTimestamp: /Z$/ } },
  }),
  exchange({
    name: "some kinds are shown as they were when they go",
    given: [post(serviceAccounts, { metadata: { name: "s" } })],
    when: remove(`${serviceAccounts}/s`),
    status: 200,
    body: { kind: "ServiceAccount", metadata: { name: "s", deletionTimestamp: absent } },
  }),
  exchange({
    name: "others are answered with what was done",
    given: [post(configMaps, configMap("c"))],
    when: remove(`${configMaps}/c`),
    status: 200,
    body: { kind: "Status", status: "Success", details: { name: "c", kind: "configmaps", uid: /./ } },
  }),
  exchange({
    name: "a trial deletion of what finalizers hold shows it going",
    given: [post(configMaps, configMap("c", {}, held))],
    when: remove(`${configMaps}/c`, { dryRun: ["All"] }),
    status: 200,
    body: { kind: "ConfigMap", metadata: { deletionTimestamp: /Z$/, deletionGracePeriodSeconds: 0 } },
  }),
];
