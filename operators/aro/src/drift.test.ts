import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { defaultOperatorFlags } from "@keelson/aro-api";
import { stringAt } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { type KubeObject, type KubeResource, resources } from "@keelson/kube";
import { controllersOf } from "./controllers/controllers.ts";
import { customerObjects, customerTexts } from "./testing/customer-objects.ts";
import {
  passTime,
  putClusterHistory,
  settledFields,
  startOnMovedClock,
  type TestCluster,
  type TestOperator,
  testServers,
  watchedKinds,
} from "./testing/index.ts";
import { type ManagedRow, managedRows, reservedMemoryRows } from "./testing/managed-rows.ts";

const controllers = controllersOf.master;
const minuteMs = 60_000;

/**
 * Cluster specification that enables all controllers and gives each controller objects to manage. Nodes may reboot, so the
 * operator delays no change.
 */
const spec = {
  banner: { content: "ContactSupport" as const },
  gatewayDomains: ["registry.example.com"],
  gatewayPrivateEndpointIP: "10.0.0.9",
  gatewayTelemetryDomain: "telemetry.example.com",
  operatorflags: {
    ...defaultOperatorFlags,
    "aro.banner.enabled": "true",
    "aro.monitoring.enabled": "true",
    "aro.forcereconciliation": "true",
  },
};

const privileged = {
  metadata: { name: "privileged" },
  ...Object.fromEntries(
    ["DirVolumePlugin", "IPC", "Network", "PID", "Ports"].map((what) => [`allowHost${what}`, true]),
  ),
  allowPrivilegedContainer: true,
  allowedCapabilities: ["*"],
  defaultAddCapabilities: null,
  requiredDropCapabilities: null,
  priority: null,
  readOnlyRootFilesystem: false,
  users: ["system:admin"],
  groups: ["system:nodes"],
  volumes: ["*"],
};

const kinds = watchedKinds(controllers);

/**
 * Kinds of customer objects that the operator repairs. The test must create these objects. The operator repairs no customer
 * objects of other kinds.
 */
const needed: ReadonlySet<unknown> = new Set([
  resources.machineConfigPools,
  resources.machineSets,
  resources.configImages,
  resources.ingressControllers,
]);

const nameOf = ({ controller, resource, key }: ManagedRow) =>
  `${controller}: ${resource.kind} ${key.namespace ? `${key.namespace}/` : ""}${key.name}`;
const idOf = (kind: string, namespace: string | undefined, name: string | undefined) =>
  `${kind} ${namespace ?? ""}/${name}`;
/**
 * True if the controller of the resource leaves labels of other writers unchanged. The controller of MachineConfigs restores
 * labels.
 */
const keepsLabels = (resource: KubeResource) => resource !== resources.machineConfigs;
const sum = (counts: Iterable<number>) => [...counts].reduce((total, each) => total + each, 0);

for (const { name, start } of testServers) {
  describe(`drift of all managed objects, on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const clock = new ManualClock(new Date());
    const pass = (ms: number, stepMs = 1_000) => passTime(clock, ms, stepMs);
    const live = ({ resource, key }: ManagedRow) => cluster.api.find(resource, key, cluster.signal);
    const stateOf = async (rows: readonly ManagedRow[]): Promise<readonly (KubeObject | undefined)[]> =>
      Promise.all(rows.map(live));

    /** Returns the number of the operator's Events about each object. */
    const events = async () => {
      const counts = new Map<string, number>();
      const { items } = await cluster.api.list(resources.events, {}, cluster.signal);
      for (const event of items) {
        if (!stringAt(event, "source", "component")?.startsWith("aro-operator")) continue;
        const of = (member: string) => stringAt(event, "involvedObject", member);
        const id = idOf(of("kind") ?? "", of("namespace"), of("name"));
        counts.set(id, (counts.get(id) ?? 0) + Number(event.count ?? 1));
      }
      return counts;
    };
    const repairs = (row: ManagedRow) =>
      operator.metric("aro_operator_repairs_total", {
        controller: row.controller,
        kind: row.resource.kind,
        result: "success",
      });

    /**
     * Changes the objects of the rows. Then advances the clock until all objects are repaired. Each object must have one Event.
     * Each controller must have counted one repair per row in its metric. Finally, a minute must pass without a write.
     */
    const provesRepairs = async (
      rows: readonly ManagedRow[],
      change: (row: ManagedRow) => Promise<unknown>,
      isRepaired: (row: ManagedRow, index: number) => Promise<boolean>,
    ) => {
      const before = { events: await events(), repairs: await Promise.all(rows.map(repairs)) };
      await Promise.all(rows.map(change));
      let left = rows;
      for (let step = 0; left.length > 0 && step < 600; step++) {
        await pass(100, 100);
        const done = await Promise.all(rows.map(isRepaired));
        left = rows.filter((_, index) => !done[index]);
      }
      assert.deepEqual(left.map(nameOf), [], "not repaired within a minute");
      await settled();
      // Events are written sequentially after the repairs.
      const recorded = sum(before.events.values()) + rows.length;
      await cluster.eventually(async () => assert.ok(sum((await events()).values()) >= recorded));
      const writes = await operator.writes();
      await pass(minuteMs);
      assert.equal((await operator.writes()) - writes, 0, "writes in the minute after the repairs");

      const now = { events: await events(), repairs: await Promise.all(rows.map(repairs)) };
      const count = (of: ReadonlyMap<string, number>, { resource, key }: ManagedRow) =>
        of.get(idOf(resource.kind, key.namespace, key.name)) ?? 0;
      assert.deepEqual(
        rows.map((row) => `${nameOf(row)}: ${count(now.events, row) - count(before.events, row)} Event`),
        rows.map((row) => `${nameOf(row)}: 1 Event`),
      );
      assert.equal(
        sum(now.events.values()) - sum(before.events.values()),
        rows.length,
        "Events of other objects",
      );
      const alike = (row: ManagedRow) =>
        rows.filter((each) => each.controller === row.controller && each.resource === row.resource).length;
      assert.deepEqual(
        rows.map(
          (row, index) => `${nameOf(row)}: ${(now.repairs[index] ?? 0) - (before.repairs[index] ?? 0)}`,
        ),
        rows.map((row) => `${nameOf(row)}: ${alike(row)}`),
        "counts of each controller and kind",
      );
    };
    /** Waits until in-flight writes are complete. Responses arrive while the clock advances. */
    const settled = async () => {
      for (let before = -1, now = await operator.writes(); now !== before; now = await operator.writes()) {
        before = now;
        await pass(2_000, 100);
      }
    };

    const provesAll = (rows: readonly ManagedRow[]) => {
      const recreated = rows.filter((row) => row.recreated !== false);
      let wanted: readonly unknown[] = [];

      test("deleted objects are recreated", async () => {
        const uids = (await stateOf(recreated)).map((each) => each?.metadata.uid);
        await provesRepairs(
          recreated,
          ({ resource, key }) => cluster.api.delete(resource, key, cluster.signal),
          async (row, index) => {
            const uid = (await live(row))?.metadata.uid;
            return uid !== undefined && uid !== uids[index];
          },
        );
      });

      test("labels, annotations and owners of other managers cause no write", async () => {
        const found = await stateOf(rows);
        wanted = found.map((each) => each && settledFields(each));
        const { metadata, apiVersion, kind } = await cluster.api.get(
          resources.namespaces,
          { name: "default" },
          cluster.signal,
        );
        const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? "" };
        const writes = await operator.writes();
        for (const [index, { resource, key }] of rows.entries()) {
          const foreign = {
            ...(keepsLabels(resource) ? { labels: { "example.com/foreign": "kept" } } : {}),
            annotations: { "example.com/foreign": "kept" },
            ownerReferences: [...(found[index]?.metadata.ownerReferences ?? []), owner],
          };
          await cluster.api.mergePatch(resource, key, { metadata: foreign }, cluster.signal);
        }
        await pass(minuteMs);
        assert.equal((await operator.writes()) - writes, 0);
      });

      test("edited objects are restored, and additions of other managers are preserved", async () => {
        await provesRepairs(
          rows,
          ({ resource, key, edit }) => cluster.api.mergePatch(resource, key, edit, cluster.signal),
          async (row, index) => {
            const now = await live(row);
            return now !== undefined && isDeepStrictEqual(settledFields(now), wanted[index]);
          },
        );
        for (const [index, found] of (await stateOf(rows)).entries()) {
          const row = rows[index];
          if (!row) break;
          const { labels, annotations, ownerReferences = [] } = found?.metadata ?? {};
          if (keepsLabels(row.resource)) assert.equal(labels?.["example.com/foreign"], "kept", nameOf(row));
          assert.equal(annotations?.["example.com/foreign"], "kept", nameOf(row));
          if (hasOwners(row.edit)) continue;
          assert.ok(
            ownerReferences.some(({ kind, name }) => kind === "Namespace" && name === "default"),
            `a foreign owner of ${nameOf(row)} stays`,
          );
        }
      });
    };

    before(async () => {
      cluster = await start({ kinds, spec });
      await putClusterHistory(cluster, { version: "4.19.24", state: "Completed" });
      await cluster.put(resources.securityContextConstraints, privileged);
      for (const { resource, object } of customerObjects)
        if (needed.has(resource)) await cluster.put(resource, object);
      for (const { resource, object } of customerTexts) await cluster.put(resource, object);
      // The MachineSets have the minimum number of workers. The controller must react if the number decreases by one.
      const smaller = { namespace: "openshift-machine-api", name: "demo-x1x2x-worker-eastus2" };
      await cluster.put(resources.machineSets, { metadata: smaller, spec: { replicas: 1 } });
      operator = await startOnMovedClock(cluster, clock, { controllers });
      // The Deployment counts as failed after five minutes. The condition becomes Available=False ten minutes later.
      await pass(30 * minuteMs, 10_000);
      await settled();
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("the table names every object that the operator has created", async () => {
      const ids = new Set(
        managedRows.map(({ resource, key }) => idOf(resource.kind, key.namespace, key.name)),
      );
      assert.deepEqual(
        [...(await events()).keys()].filter((id) => !ids.has(id)),
        [],
      );
      const absent = (await stateOf(managedRows)).flatMap((found, index) =>
        found ? [] : [managedRows[index]],
      );
      assert.deepEqual(
        absent.map((row) => row && nameOf(row)),
        [],
      );
    });

    describe("with the flags of new clusters", () => provesAll(managedRows));

    describe("with memory that is reserved without measuring", () => {
      before(async () => {
        await cluster.configure({ operatorflags: { "aro.autosizednodes.enabled": "false" } });
        await pass(10_000, 100);
        await settled();
      });
      provesAll(reservedMemoryRows);
    });
  });
}

/** True if the edit changes the owners. Such an edit also replaces the owner references that other writers have set. */
function hasOwners({ metadata }: Readonly<Record<string, unknown>>): boolean {
  return typeof metadata === "object" && metadata !== null && "ownerReferences" in metadata;
}
