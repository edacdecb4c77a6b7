import assert from "node:assert/strict";
import { test } from "node:test";
import { isPlainObject, mergePatch } from "@keelson/base";
import fc from "fast-check";
import { hasUnnamedMembers, hiddenDifferences } from "./hidden-differences.ts";
import { differences, type KubeApi, KubeError, type KubeObject, resources } from "./index.ts";

const signal = AbortSignal.timeout(900_000);
const named = { apiVersion: "example.com/v1", kind: "Example", metadata: { name: "a" } };

/** Simulates a server with atomic lists. The server adds a default value to each object in a list. */
function withDefaults(value: unknown, isItem = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withDefaults(item, true));
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withDefaults(member)] as const);
  return Object.fromEntries([...(isItem ? [["defaulted", true] as const] : []), ...members]);
}

const dryRunApply: KubeApi["dryRunApply"] = async (_resource, object) => ({
  // The cast is necessary, because the caller of `dryRunApply` chooses the type of the object.
  object: withDefaults(object) as never,
  warnings: [],
});

const found = (live: KubeObject, wanted: KubeObject) =>
  hiddenDifferences({ dryRunApply }, resources.configMaps, { live, wanted }, "test", signal);

const leaf = fc.oneof(fc.integer(), fc.string(), fc.boolean());
const name = fc.constantFrom("a", "b", "c");
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
}));
const spec = fc.dictionary(name, value, { minKeys: 1, maxKeys: 3, noNullPrototype: true });

/** Returns all objects that are items of lists, at any depth. */
function itemsOf(value: unknown, isItem = false): readonly Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap((item) => itemsOf(item, true));
  if (!isPlainObject(value)) return [];
  const own = isItem ? [value as Record<string, unknown>] : [];
  return [...own, ...Object.values(value).flatMap((member) => itemsOf(member))];
}

test("a foreign field in a list entry is found; defaults and fields beside the wanted ones are not", async () => {
  await fc.assert(
    fc.asyncProperty(spec, fc.nat(), async (wantedSpec, at) => {
      const wanted = { ...named, spec: wantedSpec };
      const live = withDefaults({ ...structuredClone(wanted), status: { phase: "x" } }) as KubeObject;
      const foreign = { ...live, spec: { ...Object(live.spec), foreign: [{ a: 1 }] }, other: {} };
      assert.equal(differences(foreign, wanted), undefined);
      assert.equal(await found(foreign, wanted), undefined);

      const items = itemsOf(live.spec);
      const item = items[at % Math.max(1, items.length)];
      if (!item) return;
      item.resourceNames = ["one"];
      assert.equal(differences(live, wanted), undefined, "by name nothing differs");
      const patch = await found(live, wanted);
      assert.ok(patch);
      const repaired = { ...live, spec: mergePatch(live.spec, patch.spec) } as KubeObject;
      assert.equal(await found(repaired, wanted), undefined, "once applied, nothing is found any more");
    }),
  );
});

test("a change of any value that is wanted is found", async () => {
  await fc.assert(
    fc.asyncProperty(spec, fc.nat(), async (wantedSpec, at) => {
      const wanted = { ...named, spec: wantedSpec };
      const live = withDefaults(structuredClone(wanted)) as KubeObject;
      const places = placesOf(live.spec).filter(({ name }) => name !== "defaulted");
      const place = places[at % places.length];
      if (!place) return;
      if (at % 2 === 0 && !Array.isArray(place.holder)) delete place.holder[place.name];
      else place.holder[place.name] = "another's";
      assert.ok(differences(live, wanted) ?? (await found(live, wanted)));
    }),
  );
});

test("the server is not asked where there is nothing to ask about", async () => {
  const dryRunApply: KubeApi["dryRunApply"] = () => assert.fail("a request");
  for (const [live, wanted] of [
    [{ data: { a: "1", theirs: "2" } }, { data: { a: "1" } }],
    [{ spec: { replicas: 1, defaulted: true }, status: { a: [{ b: 1 }] } }, { spec: { replicas: 1 } }],
    [{ rules: [{ verbs: ["get"] }] }, { rules: [{ verbs: ["get"] }] }],
    [{ metadata: { name: "a", labels: { theirs: "1" } } }, { metadata: { name: "a" } }],
  ] as const) {
    const objects = { live: { ...named, ...live }, wanted: { ...named, ...wanted } };
    assert.equal(
      await hiddenDifferences({ dryRunApply }, resources.configMaps, objects, "test", signal),
      undefined,
    );
  }
  assert.ok(hasUnnamedMembers({ rules: [{ verbs: [], resourceNames: [] }] }, { rules: [{ verbs: [] }] }));
  assert.ok(hasUnnamedMembers({ spec: { selector: { a: "1" } } }, { spec: { selector: {} } }));
});

test("where a webhook knows no dry runs the object counts as it is; other failures are failures", async () => {
  const objects = {
    live: { ...named, rules: [{ verbs: [], resourceNames: ["a"] }] },
    wanted: { ...named, rules: [{ verbs: [] }] },
  };
  const answering = (code: number) => () => Promise.reject(new KubeError(code, "", "refused"));
  const ask = (code: number) =>
    hiddenDifferences({ dryRunApply: answering(code) }, resources.clusterRoles, objects, "test", signal);
  assert.equal(await ask(400), undefined);
  await assert.rejects(ask(403), { code: 403 });
});

interface Place {
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

function placesOf(value: unknown): readonly Place[] {
  if (!isPlainObject(value) && !Array.isArray(value)) return [];
  const holder = value as Record<string, unknown>;
  return Object.entries(holder).flatMap(([name, member]) => [{ holder, name }, ...placesOf(member)]);
}
