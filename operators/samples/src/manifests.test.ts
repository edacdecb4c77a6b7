import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { compareRights, permissionsOfAccount } from "@keelson/operator-kit/testing";
import { openShiftCrds } from "@keelson/sim-openshift/testing";
import { manifests } from "./manifests.ts";
import { permissions } from "./permissions.ts";

const release = { image: "registry.example.com/keelson:1", version: "4.19.1", kubernetesVersion: "1.32.9" };
const objects = manifests(release).map(({ object }) => object);
const find = (kind: string) => objects.find((each) => each.kind === kind);

test("the operator's roles grant exactly its operations", () => {
  assert.deepEqual(
    compareRights(permissionsOfAccount(objects, "cluster-samples-operator"), permissions),
    { lacks: [], doesNotNeed: [] },
    "bring manifests/*-rbac.yaml and permissions.ts in line: verb | resource | group | name | namespace",
  );
});

/** Returns the schema without descriptions. */
function rules(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === "description" && typeof value === "string" ? undefined : value,
    ),
  );
}

test("the CustomResourceDefinition accepts and prunes like the release's", () => {
  const name = "configs.samples.operator.openshift.io";
  const released = openShiftCrds("Default").find(({ metadata }) => metadata.name === name);
  const own = find("CustomResourceDefinition");
  assert.equal(own?.metadata.name, name);
  const schemaOf = (crd: unknown) => valueAt(listAt(crd, "spec", "versions")[0], "schema");
  assert.deepEqual(sorted(rules(schemaOf(own))), sorted(rules(schemaOf(released))));
  for (const member of ["group", "names", "scope"])
    assert.deepEqual(valueAt(own, "spec", member), valueAt(released, "spec", member));
  const described = Object.values(
    Object(valueAt(schemaOf(own), "openAPIV3Schema", "properties", "spec", "properties")),
  );
  assert.ok(described.length > 0 && described.every((each) => stringAt(each, "description")));
});

/** Sorts required fields, because their order has no meaning. */
function sorted(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, member: unknown) =>
    key === "required" && Array.isArray(member) ? member.toSorted() : member,
  );
}

test("the release's own imagestreams have its images, also without the capability", () => {
  const releaseImage = (name: string) => `registry.example.com/release:4.19.1-${name}`;
  const streams = manifests({ ...release, releaseImage }).flatMap(({ object }) =>
    object.kind === "ImageStream" ? [object] : [],
  );
  assert.deepEqual(
    streams.map((stream) => {
      const [tag] = listAt(stream, "spec", "tags");
      return [stream.metadata.name, stringAt(tag, "name"), stringAt(tag, "from", "name")];
    }),
    [
      "cli",
      "cli-artifacts",
      "installer",
      "installer-artifacts",
      "tests",
      "tools",
      "must-gather",
      "oauth-proxy",
      "network-tools",
    ].map((name) =>
      name === "oauth-proxy"
        ? [name, "v4.4", releaseImage("oauth-proxy-samples")]
        : [name, "latest", releaseImage(name)],
    ),
  );
});

test("all other manifests belong to the capability and are omitted without it", () => {
  for (const { kind, metadata } of objects.filter(({ kind }) => kind !== "ImageStream"))
    assert.equal(
      metadata.annotations?.["capability.openshift.io/name"],
      kind === "CustomResourceDefinition" ? undefined : "openshift-samples",
      `${kind} ${metadata.name}`,
    );
});

test("image and versions are those of the release", () => {
  const container = listAt(find("Deployment"), "spec", "template", "spec", "containers")[0];
  assert.equal(stringAt(container, "image"), release.image);
  const version = listAt(container, "env").find((each) => stringAt(each, "name") === "RELEASE_VERSION");
  assert.equal(stringAt(version, "value"), release.version);
  assert.deepEqual(valueAt(find("ClusterOperator"), "status", "versions"), [
    { name: "operator", version: release.version },
  ]);
});

test("the metrics' Service, its certificate, the Deployment's mount and the ServiceMonitor fit", () => {
  const service = find("Service");
  const pod = valueAt(find("Deployment"), "spec", "template");
  assert.deepEqual(valueAt(service, "spec", "selector"), valueAt(pod, "metadata", "labels"));
  assert.deepEqual(
    valueAt(find("ServiceMonitor"), "spec", "selector", "matchLabels"),
    service?.metadata.labels,
  );
  const secret = service?.metadata.annotations?.["service.beta.openshift.io/serving-cert-secret-name"];
  const volumes = listAt(pod, "spec", "volumes");
  assert.ok(volumes.some((each) => stringAt(each, "secret", "secretName") === secret));
  const monitored = listAt(find("ServiceMonitor"), "spec", "endpoints")[0];
  assert.equal(
    stringAt(monitored, "tlsConfig", "serverName"),
    `${service?.metadata.name}.${service?.metadata.namespace}.svc`,
  );
  const ports = listAt(listAt(pod, "spec", "containers")[0], "ports").map((each) =>
    valueAt(each, "containerPort"),
  );
  assert.ok(ports.includes(valueAt(monitored, "targetPort")));
});

test("the operator has ten minutes to start, and its liveness needs no API server", () => {
  const [container] = listAt(find("Deployment"), "spec", "template", "spec", "containers");
  const httpGet = { path: "/healthz", port: "health" };
  assert.deepEqual(valueAt(container, "startupProbe"), { httpGet, periodSeconds: 5, failureThreshold: 120 });
  assert.deepEqual(valueAt(container, "livenessProbe"), { httpGet });
});
