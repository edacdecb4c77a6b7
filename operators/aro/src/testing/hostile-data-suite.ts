import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { clusters, defaultOperatorFlags, singleton } from "@keelson/aro-api";
import { createLogger, listAt, stringAt } from "@keelson/base";
import { type JsonPatchStep, resources } from "@keelson/kube";
import { controllersOf } from "../controllers/controllers.ts";
import { type CustomerObject, customerObjects, customerTexts, withText } from "./customer-objects.ts";
import { hostileCases } from "./hostile-cases.ts";
import { hostileTexts, randomOf, spoiled } from "./hostile-values.ts";
import {
  condition,
  exampleSpec,
  type TestCluster,
  type TestOperator,
  testServers,
  watchedKinds,
} from "./index.ts";

const controllers = controllersOf.master;
/** Flags that enable all controllers. */
const operatorflags = { ...defaultOperatorFlags, "aro.monitoring.enabled": "true" };

const kinds = watchedKinds(controllers);

/**
 * Matches messages that indicate a bug in the program. Some of them come from the JavaScript engine. A controller could wrongly
 * report them as a customer's error.
 */
const defect =
  /failed by a defect|mapping a change|Cannot (?:read|set|convert|destructure|use)|is not (?:a function|iterable)|call stack/;

/** Returns a logger that collects log lines about bugs in the program. */
function defectLog() {
  const defects: string[] = [];
  const write = (line: string) => {
    if (defect.test(line)) defects.push(line.slice(0, 2_000));
  };
  return { defects, logger: createLogger({ level: "debug", destination: { write } }) };
}

/**
 * Defines tests with invalid customer data. `rounds` is the number of tests with random objects. If such a test fails, its
 * message contains the seed.
 */
export function describeHostileData(rounds: number, firstSeed: number): void {
  for (const { name, start } of testServers) {
    describe(`customers' data on ${name}`, () => {
      let cluster: TestCluster;
      let operator: TestOperator;
      let baseline: readonly string[] = [];
      const { defects, logger } = defectLog();
      const restore = async () => {
        for (const each of customerObjects) await setMembers(cluster, each, (member) => member);
        for (const each of customerTexts) await cluster.put(each.resource, each.object);
      };
      before(async () => {
        cluster = await start({ kinds, anySchema: true, spec: { operatorflags } });
        for (const { resource, object } of [...customerObjects, ...customerTexts])
          await cluster.put(resource, object);
        operator = await cluster.start({ controllers, logger });
        await operator.quiet(500);
        baseline = await degraded(cluster);
      });
      after(() => cluster[Symbol.asyncDispose]());

      test("leaves no controller Degraded that needs neither Azure nor pods while it is right", () => {
        const others = ["AzureSubnets", "ManagedUpgradeOperator", "StorageAccounts"];
        assert.deepEqual(
          baseline.filter((type) => !others.includes(type.replace(/ControllerDegraded$/, ""))),
          [],
        );
      });

      for (const { name, spoil, type, status = "True", message, others = [] } of hostileCases)
        test(`${name}: ${type} reports it and other controllers continue`, async () => {
          await spoil(cluster);
          await cluster.eventually(async () => {
            const said = await condition(cluster, type);
            assert.match(said.message, message);
            assert.equal(said.status, status);
            assert.ok(said.message.length <= 4_096);
            assert.notEqual(said.reason, "");
          });
          await operator.quiet(50);
          const expected = type.endsWith("Degraded") ? [type, ...others] : others;
          assert.deepEqual(await degraded(cluster), [...new Set([...baseline, ...expected])].toSorted());
          await restore();
          await cluster.configure({ ...exampleSpec, operatorflags });
          await cluster.eventually(async () => assert.deepEqual(await degraded(cluster), baseline));
          assert.deepEqual(defects, []);
        });

      test("texts of any content make no controller fail by a defect", async () => {
        for (const text of hostileTexts) {
          for (const each of customerTexts) await cluster.put(each.resource, withText(each, text));
          await operator.quiet(50);
          assert.deepEqual(defects, [], text.slice(0, 40).toString());
        }
        await restore();
        await cluster.eventually(async () => assert.deepEqual(await degraded(cluster), baseline));
      });

      test(`objects of any content, from seed ${firstSeed}, make no controller fail by a defect`, async () => {
        for (let round = 0; round < rounds; round++) {
          const random = randomOf(firstSeed + round);
          // The ClusterVersion is changed less often. While it is unreadable, controllers do not read most of the other fields.
          for (const each of customerObjects)
            await setMembers(cluster, each, (member) =>
              random() < (each.resource.kind === "ClusterVersion" ? 0.2 : 0.6)
                ? spoiled(member, random)
                : member,
            );
          await operator.quiet(50);
          assert.deepEqual(defects, [], `seed ${firstSeed + round}`);
        }
        await restore();
        await cluster.eventually(async () => assert.deepEqual(await degraded(cluster), baseline));
      });

      test("afterwards a repair is made as before, and nothing goes round in circles", async () => {
        await cluster.configure({
          banner: { content: "ContactSupport" },
          operatorflags: { "aro.banner.enabled": "true" },
        });
        const banner = { name: "openshift-aro-sre" };
        await cluster.eventually(() =>
          cluster.api.get(resources.consoleNotifications, banner, cluster.signal),
        );
        await operator.quiet(500);
        const [reconciles, writes] = [await reconcilesOf(operator), await operator.writes()];
        await delay(1_000);
        assert.equal(await operator.writes(), writes);
        // Controllers that fail without Azure retry with increasing delays.
        assert.ok((await reconcilesOf(operator)) - reconciles < 2 * controllers.length);
        assert.equal(await operator.metric("controller_runtime_reconcile_panics_total"), 0);
      });
    });

    test(`on ${name} without OpenShift kinds, controllers report the missing kinds`, async () => {
      await using cluster = await start({ kinds: [] });
      const { defects, logger } = defectLog();
      const operator = await cluster.start({ controllers, logger });
      await operator.quiet(500);
      const live = await cluster.api.get(clusters, singleton, cluster.signal);
      for (const each of listAt(live, "status", "conditions")) {
        const type = stringAt(each, "type") ?? "";
        if (!type.endsWith("Degraded") || stringAt(each, "status") !== "True") continue;
        assert.equal(stringAt(each, "reason"), "ReconcileFailed", type);
        assert.notEqual(stringAt(each, "message"), "", type);
      }
      assert.deepEqual(defects, []);
      const found = await degraded(cluster);
      for (const named of ["AutoSizedNodes", "ImageConfig", "IngressControllerARO", "MachineHealthCheck"])
        assert.ok(found.includes(`${named}ControllerDegraded`), named);
      assert.ok(!found.includes("RBACControllerDegraded"), "what needs none of them works");
      assert.equal(await operator.metric("controller_runtime_reconcile_panics_total"), 0);
    });
  }
}

async function degraded({ api, signal }: TestCluster): Promise<readonly string[]> {
  const live = await api.get(clusters, singleton, signal);
  return listAt(live, "status", "conditions")
    .filter((each) => stringAt(each, "type")?.endsWith("Degraded") && stringAt(each, "status") === "True")
    .map((each) => stringAt(each, "type") ?? "")
    .toSorted();
}

function reconcilesOf(operator: TestOperator): Promise<number> {
  return operator.metric("controller_runtime_reconcile_total");
}

/** Changes every field except the metadata with `change` and writes the result. */
async function setMembers(
  { api, signal }: TestCluster,
  { resource, object }: CustomerObject,
  change: (member: unknown) => unknown,
): Promise<void> {
  const { metadata, ...members } = object;
  const { name, namespace } = metadata;
  const key = namespace === undefined ? { name } : { name, namespace };
  for (const [member, value] of Object.entries(members)) {
    const path = `/${member}`;
    const after = change(value);
    const live = await api.find(resource, key, signal);
    if (!live) return;
    const steps: JsonPatchStep[] =
      after === undefined
        ? live[member] === undefined
          ? []
          : [{ op: "remove", path }]
        : [{ op: "add", path, value: after }];
    const subresource = member === "status" ? "status" : undefined;
    if (steps.length > 0) await api.jsonPatch(resource, key, steps, signal, subresource);
  }
}
