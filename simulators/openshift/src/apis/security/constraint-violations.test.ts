import assert from "node:assert/strict";
import { test } from "node:test";
import { inAdmissionOrder } from "./constraint-order.ts";
import { constraintViolations } from "./constraint-violations.ts";
import { defaultConstraints } from "./default-constraints.ts";

const container = { name: "c", image: "i" };
const place = { uids: { first: 1_000, last: 1_999 }, isControlPlane: false };
const invalid = (path: string, value: unknown, reason: string) =>
  `provider restricted-v2: ${path}: Invalid value: ${JSON.stringify(value)}: ${reason}`;

const rows: readonly (readonly [name: string, spec: object, violations: readonly string[]])[] = [
  ["a plain pod", { containers: [container] }, []],
  ["a user of the namespace", { securityContext: { runAsUser: 1_500 }, containers: [container] }, []],
  [
    "namespaces of the host",
    { hostNetwork: true, hostPID: true, hostIPC: true, containers: [container] },
    [
      invalid(".spec.securityContext.hostNetwork", true, "Host network is not allowed to be used"),
      invalid(".spec.securityContext.hostPID", true, "Host PID is not allowed to be used"),
      invalid(".spec.securityContext.hostIPC", true, "Host IPC is not allowed to be used"),
    ],
  ],
  [
    "volumes of the host and of an unlisted type",
    {
      volumes: [{ name: "a", hostPath: { path: "/" } }, { name: "b" }, { name: "c", nfs: {} }],
      containers: [container],
    },
    [
      invalid("spec.volumes[0]", "hostPath", "hostPath volumes are not allowed to be used"),
      invalid("spec.volumes[2]", "nfs", "nfs volumes are not allowed to be used"),
    ],
  ],
  [
    "a privileged init container with capabilities, a port of the host and root",
    {
      containers: [container],
      initContainers: [
        {
          ...container,
          ports: [{ hostPort: 80 }],
          securityContext: {
            privileged: true,
            allowPrivilegeEscalation: true,
            capabilities: { add: ["NET_BIND_SERVICE", "SYS_ADMIN"] },
            runAsUser: 0,
          },
        },
      ],
    },
    [
      invalid(".initContainers[0].privileged", true, "Privileged containers are not allowed"),
      invalid(
        ".initContainers[0].allowPrivilegeEscalation",
        true,
        "Allowing privilege escalation for containers is not allowed",
      ),
      invalid(".initContainers[0].capabilities.add", "SYS_ADMIN", "capability may not be added"),
      invalid(".initContainers[0].hostPort", 80, "Host ports are not allowed to be used"),
      invalid(".initContainers[0].runAsUser", 0, "must be in the ranges: [1000, 1999]"),
    ],
  ],
];

function constraintsNamed(wanted: string) {
  const found = defaultConstraints().find(({ metadata }) => metadata.name === wanted);
  assert.ok(found, wanted);
  return found;
}

const podOf = (spec: object) => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec });

for (const [name, spec, violations] of rows) {
  test(`restricted-v2 and ${name}`, () => {
    assert.deepEqual(
      [...constraintViolations(constraintsNamed("restricted-v2"), podOf(spec), place)],
      violations,
    );
  });
  test(`privileged admits ${name}`, () => {
    assert.deepEqual([...constraintViolations(constraintsNamed("privileged"), podOf(spec), place)], []);
  });
}

test("a node of the control plane needs constraints with access to the host", () => {
  const pod = podOf({ nodeName: "master-0", containers: [container] });
  const onMaster = { ...place, isControlPlane: true };
  const admits = (name: string) =>
    [...constraintViolations(constraintsNamed(name), pod, onMaster)].length === 0;
  assert.deepEqual(["restricted-v2", "anyuid", "hostnetwork-v2", "hostaccess", "privileged"].map(admits), [
    false,
    false,
    false,
    true,
    true,
  ]);
});

test("nonroot-v2 rejects only root, and restricted-v2 any user without a range", () => {
  const as = (runAsUser: number) => podOf({ containers: [{ ...container, securityContext: { runAsUser } }] });
  const nowhere = { isControlPlane: false };
  assert.equal([...constraintViolations(constraintsNamed("nonroot-v2"), as(7), nowhere)].length, 0);
  assert.equal([...constraintViolations(constraintsNamed("nonroot-v2"), as(0), nowhere)].length, 1);
  assert.equal([...constraintViolations(constraintsNamed("restricted-v2"), as(7), nowhere)].length, 1);
});

test("the default constraints are tried by priority, then from the most restrictive", () => {
  assert.deepEqual(
    inAdmissionOrder(defaultConstraints()).map(({ metadata }) => metadata.name),
    [
      "anyuid",
      "restricted-v2",
      "restricted",
      "nonroot-v2",
      "nonroot",
      "hostmount-anyuid",
      "hostnetwork-v2",
      "hostnetwork",
      "hostaccess",
      "privileged",
    ],
  );
});
