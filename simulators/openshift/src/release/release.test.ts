import assert from "node:assert/strict";
import process from "node:process";
import { describe, test } from "node:test";
import { type ApiServer, type KubeObject, type ResourceRef, startApiServer } from "@keelson/apiserver";
import {
  createCertificateAuthority,
  isPlainObject,
  issueCertificate,
  listAt,
  silentLogger,
  stringAt,
  systemClock,
} from "@keelson/base";
import { conditionStatus } from "@keelson/kube";
import { featureGatesOf } from "./feature-gates.ts";
import { featureSets } from "./feature-set.ts";
import { readManifests, staleFiles } from "./generate.ts";
import { allReleaseCrds, releaseCrds } from "./release-crds.ts";
import { stripSchema } from "./strip-prose.ts";

const definitions: ResourceRef = {
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
};

/** Directory with the CRDs of an OpenShift release, one file per CRD (`payload-manifests/crds` of openshift/api). */
const directory = process.env.KEELSON_OPENSHIFT_CRDS;

async function startServer(): Promise<ApiServer> {
  const authority = await createCertificateAuthority("test", 1);
  const tls = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  });
  return startApiServer({
    host: "localhost",
    port: 0,
    tls,
    storage: { kind: "memory" },
    logger: silentLogger,
    clock: systemClock,
  });
}

/** Returns the paths of `description` keywords. Does not return properties that have the name `description`. */
function proseIn(value: unknown, path: string, inProperties = false): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => proseIn(each, `${path}[${index}]`));
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const here = `${path}.${name}`;
    if (!inProperties && name === "description") return [here];
    return proseIn(member, here, !inProperties && name === "properties");
  });
}

describe("the definitions of the release", { timeout: 900_000 }, () => {
  for (const featureSet of featureSets)
    test(`are structural and established with the feature set ${featureSet}`, async () => {
      await using server = await startServer();
      const { client } = await server.createCluster({ name: "release", clientCertificateAuthorities: [] });
      const all = releaseCrds(featureSet);
      assert.ok(all.length > 50, `${all.length} definitions`);
      for (const definition of all) {
        const { status } = await client.create(definitions, definition);
        const stored: KubeObject = { ...definition, status };
        assert.equal(conditionStatus(stored, "Established"), "True", definition.metadata.name);
        assert.equal(conditionStatus(stored, "NonStructuralSchema"), undefined, definition.metadata.name);
      }
    });

  test("contain no descriptions", () => {
    assert.deepEqual(
      allReleaseCrds().flatMap((each) => proseIn(each.spec, each.metadata.name)),
      [],
    );
  });

  test("differ between feature sets where the release's do", () => {
    const kubeApiServer = (set: (typeof featureSets)[number]) =>
      JSON.stringify(
        releaseCrds(set).find(({ metadata }) => metadata.name === "apiservers.config.openshift.io"),
      );
    assert.doesNotMatch(kubeApiServer("Default"), /"kms"/);
    assert.match(kubeApiServer("TechPreviewNoUpgrade"), /"kms"/);
    const names = (set: (typeof featureSets)[number]) =>
      releaseCrds(set).map(({ metadata }) => metadata.name);
    assert.ok(!names("Default").includes("clustermonitorings.config.openshift.io"));
    assert.ok(names("DevPreviewNoUpgrade").includes("clustermonitorings.config.openshift.io"));
  });

  test("match the files generated from a directory of the release's manifests", {
    skip: directory === undefined,
  }, async () => {
    const manifests = await readManifests([directory ?? ""]);
    assert.ok(manifests.length > 0, `${directory} holds no manifests`);
    assert.deepEqual(await staleFiles(manifests), []);
  });
});

test("a schema loses its descriptions but keeps properties of that name", () => {
  assert.deepEqual(
    stripSchema({
      description: "prose",
      properties: { description: { description: "prose", type: "string", default: "kept" } },
      items: { anyOf: [{ description: "prose", minLength: 1 }] },
      default: { description: "kept" },
      required: ["description"],
    }),
    {
      properties: { description: { type: "string", default: "kept" } },
      items: { anyOf: [{ minLength: 1 }] },
      default: { description: "kept" },
      required: ["description"],
    },
  );
});

const gate = (spec: object): KubeObject => ({
  apiVersion: "config.openshift.io/v1",
  kind: "FeatureGate",
  metadata: { name: "cluster" },
  spec,
});

test("a feature gate lists every gate of the release in each feature set", () => {
  const known = featureSets.map((featureSet) => {
    const [details] = featureGatesOf(gate({ featureSet: featureSet === "Default" ? "" : featureSet }), [
      "4.19.24",
    ]);
    const [enabled, disabled] = ["enabled", "disabled"].map((member) =>
      listAt(details, member).map((each) => stringAt(each, "name")),
    );
    assert.ok(enabled && disabled && enabled.length > 0 && disabled.length > 0);
    assert.deepEqual(
      enabled.filter((name) => disabled.includes(name)),
      [],
    );
    return [...enabled, ...disabled].toSorted();
  });
  for (const names of known) assert.deepEqual(names, known[0]);
});

test("custom gates are added to the default set", () => {
  const spec = {
    featureSet: "CustomNoUpgrade",
    customNoUpgrade: { enabled: ["ShortCertRotation", "NoSuchGate"], disabled: ["EventTTL"] },
  };
  const [details] = featureGatesOf(gate(spec), ["4.19.24"]);
  const enabled = details?.enabled.map(({ name }) => name) ?? [];
  const disabled = details?.disabled.map(({ name }) => name) ?? [];
  assert.ok(enabled.includes("ShortCertRotation") && enabled.includes("NoSuchGate"));
  assert.ok(disabled.includes("EventTTL") && !enabled.includes("EventTTL"));
  assert.ok(!disabled.includes("ShortCertRotation"));
});
