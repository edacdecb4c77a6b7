import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { isPlainObject, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { apiServers, type TestApiServer } from "@keelson/controller/testing";
import { conditionStatus, type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { openShiftCrds } from "@keelson/sim-openshift/testing";
import { releasedDefinitions } from "./definition.ts";
import { manifestText, manifestUrl } from "./generate.ts";

type Released = Parameters<typeof openShiftCrds>[0];

for (const released of releasedDefinitions) {
  for (const featureSet of released.featureSets)
    test(`with the feature set ${featureSet} the schema is equivalent to the release's`, () => {
      // OKD has the schemas of the default feature set.
      const set = (featureSet === "OKD" ? "Default" : featureSet) as Released;
      const theirs = openShiftCrds(set).find(
        ({ metadata }) => metadata.name === "kubeapiservers.operator.openshift.io",
      );
      assert.deepEqual(meaning(released.definition.spec), meaning(theirs?.spec));
    });

  test(`${released.fileName} is current`, async () => {
    assert.equal(await readFile(manifestUrl(released), "utf8"), manifestText(released));
  });

  test(`every field that ${released.fileName} defines is described`, () => {
    const [version] = valueAt(released.definition, "spec", "versions") as readonly unknown[];
    const schema = valueAt(version, "schema", "openAPIV3Schema", "properties");
    assert.deepEqual(undescribed({ properties: { spec: valueAt(schema, "spec") } }), []);
    assert.deepEqual(undescribed({ properties: { status: valueAt(schema, "status") } }), []);
  });
}

const name = "cluster";
const start = (spec: unknown) => ({
  apiVersion: "operator.openshift.io/v1",
  kind: "KubeAPIServer",
  metadata: { name },
  spec,
});

/** Spec that the test creates, with the expected error. The error is `undefined` for a valid spec. */
const specs: readonly (readonly [title: string, spec: unknown, refused?: RegExp])[] = [
  ["nothing", {}],
  ["no spec", undefined, /spec: Required value/],
  ["managed", { managementState: "Managed" }],
  ["forced", { managementState: "Force" }],
  ["unmanaged", { managementState: "Unmanaged" }, /managementState/],
  ["removed", { managementState: "Removed" }, /managementState/],
  ["a level", { logLevel: "TraceAll", operatorLogLevel: "" }],
  ["another level", { logLevel: "Loud" }, /spec\.logLevel: Unsupported value: "Loud"/],
  ["a level of the operator", { operatorLogLevel: 2 }, /spec\.operatorLogLevel/],
  ["any configuration", { observedConfig: { a: [{ b: null }] }, unsupportedConfigOverrides: { c: 1 } }],
  ["null as configuration", { observedConfig: null, unsupportedConfigOverrides: null }],
  ["a string as configuration", { unsupportedConfigOverrides: "x" }, /spec\.unsupportedConfigOverrides/],
  ["a reason", { forceRedeploymentReason: "again" }],
  ["limits", { failedRevisionLimit: -1, succeededRevisionLimit: 0 }],
  ["a limit beyond 32 bits", { failedRevisionLimit: 2 ** 31 }, /failedRevisionLimit/],
  ["a limit that is a string", { succeededRevisionLimit: "5" }, /succeededRevisionLimit/],
  ["the least time to live", { eventTTLMinutes: 5 }],
  ["too short a time to live", { eventTTLMinutes: 4 }, /greater than or equal to 5/],
  ["the longest time to live", { eventTTLMinutes: 180 }],
  ["too long a time to live", { eventTTLMinutes: 181 }, /less than or equal to 180/],
];

const at = "2026-01-01T00:00:00Z";
const condition = { type: "Available", status: "True", lastTransitionTime: at };
const node = (nodeName: string, members: object = {}) => ({ nodeName, ...members });
/** Statuses that the test writes one after the other, with the expected error of the last write. */
const statuses: readonly (readonly [title: string, statuses: readonly object[], refused?: RegExp])[] = [
  ["a condition", [{ conditions: [condition] }]],
  ["a condition without a type", [{ conditions: [{ ...condition, type: "" }] }], /conditions\[0\]\.type/],
  ["a condition without a time", [{ conditions: [{ type: "A", status: "True" }] }], /lastTransitionTime/],
  ["another status", [{ conditions: [{ ...condition, status: "Yes" }] }], /Unsupported value: "Yes"/],
  ["a type twice", [{ conditions: [condition, condition] }], /Duplicate value/],
  ["a revision", [{ latestAvailableRevision: 1 }, { latestAvailableRevision: 2 }]],
  [
    "a revision that decreases",
    [{ latestAvailableRevision: 2 }, { latestAvailableRevision: 1 }],
    /latestAvailableRevision: Invalid value.*must only increase/,
  ],
  ["nodes", [{ nodeStatuses: [node("a"), node("b")] }]],
  ["a node twice", [{ nodeStatuses: [node("a"), node("a")] }], /Duplicate value/],
  [
    "a node that begins with a revision",
    [{ nodeStatuses: [node("a", { currentRevision: 1 })] }],
    /currentRevision can not be set on creation of a nodeStatus/,
  ],
  [
    "a node that begins with a target",
    [{ nodeStatuses: [node("a", { targetRevision: 1 })] }],
    /targetRevision can not be set on creation of a nodeStatus/,
  ],
  [
    "one node in transition",
    [
      { nodeStatuses: [node("a"), node("b")] },
      { nodeStatuses: [node("a", { targetRevision: 1 }), node("b", { targetRevision: 0 })] },
    ],
  ],
  [
    "acceptance 10: two nodes in transition",
    [
      { nodeStatuses: [node("a"), node("b")] },
      { nodeStatuses: [node("a", { targetRevision: 1 }), node("b", { targetRevision: 1 })] },
    ],
    /no more than 1 node status may have a nonzero targetRevision/,
  ],
  [
    "a node with a revision that is unset",
    [
      { nodeStatuses: [node("a")] },
      { nodeStatuses: [node("a", { currentRevision: 3 })] },
      { nodeStatuses: [node("a")] },
    ],
    /cannot be unset once set/,
  ],
  [
    "a node with a revision that decreases",
    [
      { nodeStatuses: [node("a")] },
      { nodeStatuses: [node("a", { currentRevision: 3 })] },
      { nodeStatuses: [node("a", { currentRevision: 2 })] },
    ],
    /must only increase/,
  ],
  ["a UID that is none", [{ nodeStatuses: [node("a", { nodeUID: "1" })] }], /nodeUID/],
  [
    "issuers",
    [{ serviceAccountIssuers: [{ name: "https://a" }, { name: "https://b", expirationTime: at }] }],
  ],
  ["an issuer until no time", [{ serviceAccountIssuers: [{ expirationTime: "soon" }] }], /expirationTime/],
];

for (const { name: serverName, start: startServer } of apiServers)
  describe(`KubeAPIServers on ${serverName}`, () => {
    let server: TestApiServer;
    let api: KubeClient;
    const signal = AbortSignal.timeout(900_000);

    before(async () => {
      server = await startServer();
      api = server.connect();
      const [{ definition }] = releasedDefinitions as readonly [(typeof releasedDefinitions)[number]];
      await api.ensure(resources.customResourceDefinitions, definition, signal);
      await eventually(async () => {
        const live = await api.get(resources.customResourceDefinitions, definition.metadata, signal);
        assert.equal(conditionStatus(live, "Established"), "True");
      });
    });
    after(async () => {
      await api?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    });

    for (const [title, spec, refused] of specs)
      test(`${title} as spec is ${refused ? "refused" : "accepted"}`, async () => {
        const creation = create(spec);
        if (refused) await assert.rejects(creation, refused);
        else await creation;
      });

    for (const [title, written, refused] of statuses)
      test(`${title} in the status is ${refused ? "refused" : "accepted"}`, async () => {
        await create({});
        const write = (status: object) => replaceStatus(status);
        for (const status of written.slice(0, -1)) await write(status);
        const last = write(written.at(-1) ?? {});
        if (refused) await assert.rejects(last, refused);
        else await last;
      });

    test("levels default to Normal and unknown fields are pruned", async () => {
      const created = await create({ unknown: 1 });
      assert.deepEqual(created.spec, { logLevel: "Normal", operatorLogLevel: "Normal" });
    });

    async function create(spec: unknown): Promise<KubeObject> {
      await api.delete(resources.kubeApiServers, { name }, signal);
      return api.create(resources.kubeApiServers, start(spec) as KubeObject, signal);
    }

    async function replaceStatus(status: object): Promise<KubeObject> {
      const live = await api.get(resources.kubeApiServers, { name }, signal);
      return api.replaceStatus(resources.kubeApiServers, { ...live, status }, signal);
    }
  });

/** Returns the schema in a comparable form: without descriptions and with sorted sets. */
function meaning(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(meaning);
    return items.every((each) => typeof each === "string") ? items.toSorted() : items;
  }
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).filter(
    ([member, inner]) => member !== "description" || typeof inner !== "string",
  );
  return Object.fromEntries(members.map(([member, inner]) => [member, meaning(inner)]));
}

/** Returns the paths of fields without a description. */
function undescribed(schema: unknown, path = ""): readonly string[] {
  const properties = valueAt(schema, "properties");
  const members = isPlainObject(properties) ? Object.entries(properties) : [];
  return members.flatMap(([member, inner]) => {
    const here = `${path}.${member}`;
    const below = [...undescribed(inner, here), ...undescribed(valueAt(inner, "items"), `${here}[]`)];
    return typeof valueAt(inner, "description") === "string" ? below : [here, ...below];
  });
}
