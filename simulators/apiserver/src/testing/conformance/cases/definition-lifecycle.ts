import assert from "node:assert/strict";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt } from "@keelson/base";
import type { Api } from "../api.ts";
import { absent, all, type ConformanceCase, matches } from "../case.ts";
import { apply, get, mergePatch, post, remove } from "../requests.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const withinMs = 300_000;

/** Returns a definition in the API group of the case. */
const definition = (plural: string, names: object, extra: { metadata?: object; spec?: object } = {}) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.{ns}.example.com`, ...extra.metadata },
  spec: {
    group: "{ns}.example.com",
    scope: "Namespaced",
    names: { plural, ...names },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
    ...extra.spec,
  },
});

const pathOf = (plural: string) => `${definitions}/${plural}.{ns}.example.com`;
const objects = (plural: string) => `/apis/{ns}.example.com/v1/namespaces/{ns}/${plural}`;
const cleanup = "customresourcecleanup.apiextensions.k8s.io";

/** Waits for a condition with a reason. Returns the definition. */
async function settled(api: Api, plural: string, type: string, reason: string): Promise<unknown> {
  for (const end = performance.now() + withinMs; ; ) {
    const { body } = await api.call(get(pathOf(plural)));
    const found = conditionOf(body, type);
    if (scalarStringAt(found, "reason") === reason) return body;
    assert.ok(performance.now() < end, `${plural}: ${JSON.stringify(objectAt(body, "status"))}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const established = (api: Api, plural: string) => settled(api, plural, "Established", "InitialNamesAccepted");

function conditionOf(body: unknown, type: string): unknown {
  return listAt(body, "status", "conditions").find((each) => scalarStringAt(each, "type") === type);
}

/** Conformance cases for the lifecycle of definitions after their creation. */
export const definitionLifecycleCases: readonly ConformanceCase[] = [
  {
    name: "a definition that waits for names becomes established when a conflicting definition is deleted",
    async run(api) {
      await all(api, [post(definitions, definition("things", { kind: "Thing", shortNames: ["th"] }))]);
      await established(api, "things");
      await all(api, [
        post(
          definitions,
          definition("others", { kind: "Thing", shortNames: ["th", "ot"], categories: ["all"] }),
        ),
      ]);
      const rival = await settled(api, "others", "NamesAccepted", "ListKindConflict");
      matches(rival, {
        metadata: { finalizers: absent },
        status: {
          conditions: [
            { type: "NamesAccepted", status: "False", message: '"ThingList" is already in use' },
            {
              type: "Established",
              status: "False",
              reason: "NotAccepted",
              message: "not all names are accepted",
            },
          ],
          // Names that have no conflict are accepted immediately.
          acceptedNames: {
            plural: "others",
            kind: "",
            singular: absent,
            shortNames: absent,
            categories: ["all"],
          },
        },
      });
      assert.equal((await api.call(get(objects("others")))).status, 404);
      await all(api, [remove(pathOf("things"))]);
      const own = await established(api, "others");
      matches(own, {
        status: {
          conditions: [
            { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" },
            { type: "Established", status: "True" },
          ],
          acceptedNames: {
            plural: "others",
            singular: "thing",
            kind: "Thing",
            listKind: "ThingList",
            shortNames: ["th", "ot"],
            categories: ["all"],
          },
        },
      });
      assert.equal((await api.call(get(objects("others")))).status, 200);
    },
  },
  {
    name: "a released short name is accepted for the definition that waits for it",
    async run(api) {
      await all(api, [post(definitions, definition("firsts", { kind: "First", shortNames: ["f", "g"] }))]);
      await established(api, "firsts");
      await all(api, [
        post(definitions, definition("seconds", { kind: "Second", shortNames: ["f", "g", "s"] })),
      ]);
      const waiting = await settled(api, "seconds", "NamesAccepted", "ShortNamesConflict");
      matches(conditionOf(waiting, "NamesAccepted"), {
        message: '["f" is already in use, "g" is already in use]',
      });
      await all(api, [mergePatch(pathOf("firsts"), { spec: { names: { shortNames: ["other"] } } })]);
      matches(await established(api, "seconds"), {
        status: { acceptedNames: { shortNames: ["f", "g", "s"] } },
      });
    },
  },
  {
    name: "an established definition with a conflicting new name is served under its accepted names",
    async run(api) {
      await all(api, [post(definitions, definition("firsts", { kind: "First", shortNames: ["f"] }))]);
      await established(api, "firsts");
      await all(api, [post(definitions, definition("seconds", { kind: "Second" }))]);
      const before = await established(api, "seconds");
      await all(api, [mergePatch(pathOf("seconds"), { spec: { names: { shortNames: ["f"] } } })]);
      const after = await settled(api, "seconds", "NamesAccepted", "ShortNamesConflict");
      matches(conditionOf(after, "NamesAccepted"), { status: "False", message: '"f" is already in use' });
      assert.deepEqual(conditionOf(after, "Established"), conditionOf(before, "Established"));
      matches(after, { status: { acceptedNames: { plural: "seconds", shortNames: absent } } });
      assert.equal((await api.call(get(objects("seconds")))).status, 200);
    },
  },
  {
    name: "stored versions are recorded, and a version can only be removed from the spec after its removal from the status",
    async run(api) {
      await all(api, [post(definitions, definition("things", { kind: "Thing" }))]);
      const schema = { openAPIV3Schema: { type: "object" } };
      const [v1, v2] = ["v1", "v2"].map((name) => ({ name, served: true, storage: name === "v2", schema }));
      const changed = await all(api, [mergePatch(pathOf("things"), { spec: { versions: [v1, v2] } })]);
      matches(changed, { status: { storedVersions: ["v1", "v2"] } });
      const early = await api.call(mergePatch(pathOf("things"), { spec: { versions: [v2] } }));
      matches(early.body, {
        code: 422,
        details: { causes: [{ field: "status.storedVersions[0]", reason: "FieldValueInvalid" }] },
      });
      const migrated = await all(api, [
        mergePatch(`${pathOf("things")}/status`, { status: { storedVersions: ["v2"] } }),
        mergePatch(pathOf("things"), { spec: { versions: [v2] } }),
      ]);
      matches(migrated, { status: { storedVersions: ["v2"] } });
    },
  },
  {
    name: "a definition with an invalid CA bundle is not established",
    async run(api) {
      const webhook = (caBundle: string | null) => ({
        conversion: {
          strategy: "Webhook",
          webhook: {
            conversionReviewVersions: ["v1"],
            clientConfig: { url: "https://localhost:1/", caBundle },
          },
        },
      });
      await all(api, [post(definitions, definition("things", { kind: "Thing" }, { spec: webhook("Cg==") }))]);
      const waiting = await settled(api, "things", "Established", "InvalidCABundle");
      matches(conditionOf(waiting, "Established"), {
        status: "False",
        message: "The conversion webhook CABundle is invalid",
      });
      await all(api, [mergePatch(pathOf("things"), { spec: webhook(null) })]);
      await established(api, "things");
    },
  },
  {
    name: "the approval condition in a Kubernetes group follows the annotation",
    async run(api) {
      const annotated = (text: string) => ({ annotations: { "api-approved.kubernetes.io": text } });
      const name = "things.{ns}.k8s.io";
      const own = definition("things", { kind: "Thing" }, { spec: { group: "{ns}.k8s.io" } });
      const conformant = async (reason: string) => {
        for (const end = performance.now() + withinMs; ; ) {
          const { body } = await api.call(get(`${definitions}/${name}`));
          const found = conditionOf(body, "KubernetesAPIApprovalPolicyConformant");
          if (scalarStringAt(found, "reason") === reason) return found;
          assert.ok(performance.now() < end, JSON.stringify(body));
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      const url = "https://github.com/kubernetes/kubernetes/pull/78458";
      await all(api, [post(definitions, { ...own, metadata: { name, ...annotated(url) } })]);
      matches(await conformant("ApprovedAnnotation"), { status: "True", message: `approved in ${url}` });
      await all(api, [
        mergePatch(`${definitions}/${name}`, { metadata: annotated("unapproved, an experiment") }),
      ]);
      matches(await conformant("UnapprovedAnnotation"), {
        status: "False",
        message: 'not approved: "unapproved, an experiment"',
      });
    },
  },
  {
    name: "a deleted definition is Terminating until its instances are removed, and new ones are rejected",
    async run(api) {
      const hold = { finalizers: ["example.com/hold"] };
      await all(api, [post(definitions, definition("things", { kind: "Thing" }, { metadata: hold }))]);
      const before = await established(api, "things");
      const thing = (name: string, metadata: object = {}) => ({
        apiVersion: "{ns}.example.com/v1",
        kind: "Thing",
        metadata: { name, ...metadata },
      });
      await all(api, [post(objects("things"), thing("one", { finalizers: ["example.com/f"] }))]);
      const deleted = await all(api, [remove(pathOf("things"), { propagationPolicy: "Foreground" })]);
      matches(deleted, {
        metadata: {
          finalizers: ["example.com/hold", cleanup],
          generation: 1,
          deletionGracePeriodSeconds: absent,
        },
      });
      matches(conditionOf(deleted, "Terminating"), {
        status: "True",
        reason: "InstanceDeletionPending",
        message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
      });
      const going = await settled(api, "things", "Terminating", "InstanceDeletionInProgress");
      matches(going, {
        status: {
          conditions: [
            objectAt(conditionOf(before, "NamesAccepted")),
            objectAt(conditionOf(before, "Established")),
            { type: "Terminating", status: "True", message: "CustomResource deletion is in progress" },
          ],
        },
      });
      const refused = {
        code: 403,
        reason: "Forbidden",
        message: `things.${api.namespace}.example.com "two" is forbidden: create not allowed while custom resource definition is terminating`,
        details: { name: "two", group: `${api.namespace}.example.com`, kind: "things" },
      };
      matches((await api.call(post(objects("things"), thing("two")))).body, refused);
      const applied = apply(`${objects("things")}/two?fieldManager=m`, thing("two"));
      matches((await api.call(applied)).body, refused);
      assert.equal((await api.call(get(objects("things")))).status, 200);
      await all(api, [mergePatch(`${objects("things")}/one`, { metadata: { finalizers: null } })]);
      const done = await settled(api, "things", "Terminating", "InstanceDeletionCompleted");
      matches(done, { metadata: { finalizers: ["example.com/hold"] } });
      matches(conditionOf(done, "Terminating"), { status: "False", message: "removed all instances" });
      await all(api, [mergePatch(pathOf("things"), { metadata: { finalizers: null } })]);
      assert.equal((await api.call(get(pathOf("things")))).status, 404);
    },
  },
  {
    name: "a definition that was never established is deleted immediately",
    async run(api) {
      await all(api, [post(definitions, definition("things", { kind: "Thing" }))]);
      await established(api, "things");
      const hold = { finalizers: ["example.com/hold"] };
      await all(api, [
        post(definitions, definition("nevers", { kind: "Thing" }, { metadata: hold })),
        remove(pathOf("nevers")),
      ]);
      const never = await settled(api, "nevers", "Terminating", "NeverEstablished");
      matches(never, { metadata: { finalizers: ["example.com/hold"] } });
      matches(conditionOf(never, "Terminating"), {
        status: "False",
        message: "resource was never established",
      });
      await all(api, [mergePatch(pathOf("nevers"), { metadata: { finalizers: null } })]);
    },
  },
];
