import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { LogicalCluster } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { ApiWorld } from "../testing/api-world.ts";
import { selectConstraints } from "./select-constraints.ts";

let world: ApiWorld;
before(async () => {
  world = await ApiWorld.start();
});
after(() => world?.[Symbol.asyncDispose]());

const constraints = (name: string, fields: object = {}) => ({
  apiVersion: "security.openshift.io/v1",
  kind: "SecurityContextConstraints",
  metadata: { name },
  allowHostDirVolumePlugin: false,
  allowHostIPC: false,
  allowHostNetwork: false,
  allowHostPID: false,
  allowHostPorts: false,
  allowPrivilegedContainer: false,
  allowedCapabilities: [],
  defaultAddCapabilities: [],
  requiredDropCapabilities: [],
  priority: 100,
  readOnlyRootFilesystem: false,
  volumes: [],
  runAsUser: { type: "RunAsAny" },
  seLinuxContext: { type: "RunAsAny" },
  ...fields,
});

const privileged = Array.from({ length: 2_000 }, (_, at) => ({
  name: `c${at}`,
  image: "i",
  securityContext: { privileged: true },
}));

test("the reasons of a rejection are bounded, and other work runs while large pods are checked", async () => {
  const ref = { group: "security.openshift.io", version: "v1", resource: "securitycontextconstraints" };
  for (let at = 0; at < 100; at++) await world.client.create(ref, constraints(`own-${at}`));
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "default" },
    spec: { containers: privileged },
  };
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const alice = { name: "alice", groups: [] };
  const allows: LogicalCluster["allows"] = async (_user, action) =>
    action.kind === "resource" && action.name !== "privileged";
  const deps = { client: world.client, logical: { allows } };
  const checks = Array.from({ length: 5 }, () => selectConstraints(deps, pod, "default", [alice]));
  const [selection] = await Promise.all(checks);
  isOver = true;
  assert.equal(selection?.kind, "refused");
  const { reasons = [] } = selection?.kind === "refused" ? selection : {};
  assert.ok(reasons.join().length < 100_000, `${reasons.join().length}`);
  assert.equal(reasons.at(-1), "further reasons are omitted");
  // Each turn of the event loop checks the constraints of at most one pod.
  assert.ok(turns >= 500, `${turns}`);
});

test("a review of a large pod by the users of many constraints responds with the constraints that admit it", async () => {
  const { status, body } = await world.call(
    "POST",
    "/apis/security.openshift.io/v1/namespaces/default/podsecuritypolicysubjectreviews",
    {
      body: {
        apiVersion: "security.openshift.io/v1",
        kind: "PodSecurityPolicySubjectReview",
        spec: { template: { spec: { containers: privileged } }, groups: ["system:masters"] },
      },
    },
  );
  assert.equal(status, 201);
  assert.equal(stringAt(body, "status", "allowedBy", "name"), "privileged");
});
