import assert from "node:assert/strict";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import type { Api } from "../api.ts";
import { absent, all, type ConformanceCase, matches } from "../case.ts";
import { get, mergePatch, post, put, strategicPatch } from "../requests.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const readyWithinMs = 10_000;

/** Returns the definition of the case: `things.{ns}.example.com`. */
const definition = (spec: object) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.{ns}.example.com" },
  spec: {
    group: "{ns}.example.com",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing", shortNames: ["th"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", ...spec },
              status: { type: "object", properties: { replicas: { type: "integer" } } },
            },
          },
        },
      },
    ],
  },
});

export const things = "/apis/{ns}.example.com/v1/namespaces/{ns}/things";
export const thing = (spec: object, name = "t") => ({
  apiVersion: "{ns}.example.com/v1",
  kind: "Thing",
  metadata: { name },
  spec,
});

const spec = {
  properties: {
    size: { type: "integer", minimum: 1, maximum: 10 },
    colour: { type: "string", default: "red", enum: ["red", "green"] },
    replicas: { type: "integer" },
    fixed: {
      type: "string",
      "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "fixed stays" }],
    },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
  required: ["size"],
};

/** Creates the case's definition with a schema for `spec`. */
export const declare = (schema: object) => post(definitions, definition(schema));

/** Creates the case's definition with a schema for `spec` and waits until the resource is served. */
export async function install(api: Api, schema: object): Promise<void> {
  await all(api, [declare(schema)]);
  for (const end = performance.now() + readyWithinMs; ; ) {
    const { status } = await api.call(get(things));
    if (status === 200) return;
    assert.ok(performance.now() < end, `things did not return ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const installed = (name: string, run: (api: Api) => Promise<void>): ConformanceCase => ({
  name,
  async run(api) {
    await install(api, spec);
    await run(api);
  },
});

/** Additional error cause if some rules could not be evaluated. */
const unchecked = {
  reason: "FieldValueInvalid",
  // Kubernetes releases use different quotes in this message.
  message:
    /^Invalid value: "?null"?: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation$/,
  field: "<nil>",
};

/** Conformance cases for custom resources and their CustomResourceDefinitions. */
export const definitionCases: readonly ConformanceCase[] = [
  installed("a definition becomes established, with its names", async (api) => {
    const { body } = await api.call(get(`${definitions}/things.{ns}.example.com`));
    const conditions = new Map(
      listAt(body, "status", "conditions").map((each) => [
        scalarStringAt(each, "type"),
        scalarStringAt(each, "status"),
      ]),
    );
    assert.equal(conditions.get("Established"), "True");
    assert.equal(conditions.get("NamesAccepted"), "True");
    matches(body, {
      status: {
        acceptedNames: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
        storedVersions: ["v1"],
      },
    });
  }),
  installed("unknown fields are pruned, defaults are set, preserved fields remain", async (api) => {
    const made = await all(api, [post(things, thing({ size: 1, nonsense: 1, free: { any: [1] } }))]);
    matches(made, {
      metadata: { generation: 1 },
      spec: { size: 1, colour: "red", nonsense: absent, free: { any: [1] } },
    });
  }),
  installed("every violated rule is reported", async (api) => {
    const { status, body } = await api.call(post(things, thing({ size: 11, colour: "blue" })));
    assert.equal(status, 422);
    matches(body, {
      reason: "Invalid",
      details: { name: "t", group: "{ns}.example.com".replace("{ns}", api.namespace), kind: "Thing" },
    });
    const texts = listAt(body, "details", "causes").map(
      (each) => `${scalarStringAt(each, "field")}: ${scalarStringAt(each, "message")}`,
    );
    assert.deepEqual(texts.filter((text) => text.startsWith("spec")).sort(), [
      'spec.colour: Unsupported value: "blue": supported values: "red", "green"',
      "spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10",
    ]);
  }),
  installed(
    "an object of a different kind is invalid, and one of a different version is a bad request",
    async (api) => {
      const other = { ...thing({ size: 1 }), kind: "Other" };
      const group = `${api.namespace}.example.com`;
      const invalid = {
        code: 422,
        reason: "Invalid",
        message: `Other.${group} "t" is invalid: kind: Invalid value: "Other": must be Thing`,
        details: {
          name: "t",
          group,
          kind: "Other",
          causes: [{ reason: "FieldValueInvalid", field: "kind" }],
        },
      };
      matches((await api.call(post(things, other))).body, invalid);
      const wrong = await api.call(
        post(things, { ...thing({ size: 1 }), apiVersion: "{ns}.example.com/v2" }),
      );
      matches(wrong.body, {
        code: 400,
        message: new RegExp(
          `the API version in the data \\(${group}/v2\\) does not match the expected API version \\(${group}/v1\\)$`,
        ),
      });
    },
  ),
  installed("replicas have 32 bits in all kinds of writes", async (api) => {
    const text = JSON.stringify(thing({ size: 1, replicas: 0 })).replace(
      '"replicas":0',
      '"replicas":9223372036854775807',
    );
    const { status, body } = await api.call(post(things, text));
    assert.equal(status, 422);
    matches(body, {
      details: {
        causes: [
          {
            reason: "FieldValueInvalid",
            message: "Invalid value: 9223372036854775807: should be less than or equal to 2147483647",
            field: ".spec.replicas",
          },
        ],
      },
    });
  }),
  installed("a column without a description gets one with its JSONPath", async (api) => {
    const accept = { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };
    const { body } = await api.call(get(things, accept));
    const size = listAt(body, "columnDefinitions").find((each) => scalarStringAt(each, "name") === "Size");
    matches(size, { description: "Custom resource definition column (in JSONPath format): .spec.size" });
  }),
  installed("a missing field is reported", async (api) => {
    const { body } = await api.call(post(things, thing({})));
    matches(body, {
      code: 422,
      details: {
        causes: [{ reason: "FieldValueRequired", message: "Required value", field: "spec.size" }, unchecked],
      },
    });
  }),
  installed("a value of the wrong type is reported", async (api) => {
    const { body } = await api.call(post(things, thing({ size: "large" })));
    matches(body, {
      code: 422,
      details: {
        causes: [
          {
            field: "spec.size",
            message: 'Invalid value: "string": spec.size in body must be of type integer: "string"',
          },
          unchecked,
        ],
      },
    });
  }),
  installed("a transition rule applies to updates only", async (api) => {
    await all(api, [post(things, thing({ size: 1, fixed: "a" }))]);
    const { status, body } = await api.call(mergePatch(`${things}/t`, { spec: { fixed: "b" } }));
    assert.equal(status, 422);
    assert.match(scalarStringAt(body, "message"), /spec\.fixed: Invalid value: "(string|b)": fixed stays/);
  }),
  installed("an update needs the revision it replaces", async (api) => {
    await all(api, [post(things, thing({ size: 1 }))]);
    const { status, body } = await api.call(put(`${things}/t`, thing({ size: 2 })));
    assert.equal(status, 422);
    assert.match(
      scalarStringAt(body, "message"),
      /metadata\.resourceVersion: Invalid value: 0: must be specified for an update/,
    );
  }),
  installed("the generation changes with the spec and not the status", async (api) => {
    await all(api, [post(things, thing({ size: 1 }))]);
    const status = await all(api, [mergePatch(`${things}/t/status`, { status: { replicas: 1 } })]);
    assert.equal(valueAt(status, "metadata", "generation"), 1);
    const changed = await all(api, [
      mergePatch(`${things}/t`, { spec: { size: 2 }, status: { replicas: 9 } }),
    ]);
    matches(changed, { metadata: { generation: 2 }, spec: { size: 2 }, status: { replicas: 1 } });
  }),
  installed("the scale subresource reads and writes its paths", async (api) => {
    await all(api, [post(things, thing({ size: 1, replicas: 2 }))]);
    const scaled = await all(api, [mergePatch(`${things}/t/scale`, { spec: { replicas: 5 } })]);
    matches(scaled, { kind: "Scale", apiVersion: "autoscaling/v1", spec: { replicas: 5 } });
    matches((await api.call(get(`${things}/t`))).body, { spec: { replicas: 5 } });
  }),
  installed("a strategic merge patch is rejected", async (api) => {
    await all(api, [post(things, thing({ size: 1 }))]);
    assert.equal((await api.call(strategicPatch(`${things}/t`, { spec: { size: 2 } }))).status, 415);
  }),
  installed("tables have the columns of the definition", async (api) => {
    await all(api, [post(things, thing({ size: 3 }))]);
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const { body } = await api.call(get(things, { accept }));
    matches(body, {
      columnDefinitions: [{ name: "Name" }, { name: "Size", type: "integer" }],
      rows: [{ cells: ["t", 3] }],
    });
  }),
  {
    name: "a definition with a name other than plural.group is 422",
    async run(api) {
      const wrong = { ...definition(spec), metadata: { name: "other.example.com" } };
      const { status, body } = await api.call(post(definitions, wrong));
      assert.equal(status, 422);
      assert.match(
        scalarStringAt(body, "message"),
        /metadata\.name: Invalid value: "other\.example\.com": must be spec\.names\.plural\+"\."\+spec\.group/,
      );
    },
  },
];
