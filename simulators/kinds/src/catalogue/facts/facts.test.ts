import assert from "node:assert/strict";
import { test } from "node:test";
import { valueAt } from "@keelson/base";
import { builtinTypes } from "../../builtin/builtin-types.ts";
import { checkChange, checkType } from "../../types/check-type.ts";
import { withTypeDefaults } from "../../types/defaults.ts";
import { allTypes, decodeToType, type ObjectSchema, typeOf } from "../../types/index.ts";
import { typeFacts } from "../../types/known-facts.ts";
import { Findings } from "../findings.ts";
import type { Fields } from "../type-facts.ts";

function typeOfKind(kind: string, version = "v1"): ObjectSchema {
  const found = builtinTypes.find((each) => each.kind === kind && each.version === version);
  const type = found && typeOf(found);
  assert.ok(type, kind);
  return type;
}

function complete(kind: string, object: Fields, version?: string): Fields {
  const type = typeOfKind(kind, version);
  return withTypeDefaults(type, decodeToType(type, object).value);
}

/** Sets an object's defaults and returns its validation errors as `field: message`. */
function wrongs(kind: string, object: Fields, version?: string): readonly string[] {
  const findings = new Findings();
  checkType(typeOfKind(kind, version), complete(kind, object, version), findings);
  return findings.causes.map(({ field, message }) => `${field}: ${message}`);
}

function changeWrongs(kind: string, object: Fields, current: Fields): readonly string[] {
  const findings = new Findings();
  checkChange(typeOfKind(kind), complete(kind, object), complete(kind, current), findings);
  return findings.causes.map(({ field, message }) => `${field}: ${message}`);
}

const containers = [{ name: "c", image: "i" }];
const labels = { app: "x" };
const workload = {
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers } },
};
const never = { ...workload.template, spec: { containers, restartPolicy: "Never" } };

test("facts reference existing types and fields", () => {
  for (const { defaults, derived, checks, changes } of typeFacts) {
    const lines = defaults?.split("\n").filter((line) => line !== "") ?? [];
    for (const line of lines) {
      const [name = "", ...fields] = line.split(" ");
      const type = allTypes().get(name);
      assert.ok(type, name);
      for (const field of fields) assert.ok(type.fields.has(field.split(/:?=/)[0] ?? ""), `${name} ${field}`);
    }
    for (const name of Object.keys({ ...derived, ...checks, ...changes }))
      assert.ok(allTypes().has(name), name);
    for (const [name, fields] of Object.entries(checks ?? {})) {
      for (const [field] of fields)
        assert.ok(field === "" || allTypes().get(name)?.fields.has(field), `${name}.${field}`);
    }
  }
});

test("unset fields get Kubernetes' defaults", () => {
  const rows: readonly [kind: string, object: Fields, path: string, value: unknown][] = [
    ["Pod", { spec: { containers } }, "spec.dnsPolicy", "ClusterFirst"],
    ["Pod", { spec: { containers } }, "spec.restartPolicy", "Always"],
    ["Pod", { spec: { containers } }, "spec.terminationGracePeriodSeconds", 30],
    ["Pod", { spec: { containers } }, "spec.schedulerName", "default-scheduler"],
    ["Pod", { spec: { containers } }, "spec.enableServiceLinks", true],
    ["Pod", { spec: { containers } }, "spec.containers.0.imagePullPolicy", "Always"],
    [
      "Pod",
      { spec: { containers: [{ name: "c", image: "h:5000/i" }] } },
      "spec.containers.0.imagePullPolicy",
      "Always",
    ],
    [
      "Pod",
      { spec: { containers: [{ name: "c", image: "i:1" }] } },
      "spec.containers.0.imagePullPolicy",
      "IfNotPresent",
    ],
    [
      "Pod",
      { spec: { containers: [{ name: "c", image: "i@sha256:0" }] } },
      "spec.containers.0.imagePullPolicy",
      "IfNotPresent",
    ],
    [
      "Pod",
      { spec: { containers: [{ name: "c", ports: [{ containerPort: 1 }] }] } },
      "spec.containers.0.ports.0.protocol",
      "TCP",
    ],
    [
      "Pod",
      { spec: { containers: [{ name: "c", livenessProbe: { exec: { command: ["x"] } } }] } },
      "spec.containers.0.livenessProbe.failureThreshold",
      3,
    ],
    [
      "Pod",
      { spec: { containers: [{ name: "c", resources: { limits: { cpu: 1 } } }] } },
      "spec.containers.0.resources.requests",
      { cpu: "1" },
    ],
    ["Pod", { spec: { serviceAccountName: "robot", containers } }, "spec.serviceAccount", "robot"],
    ["Pod", { spec: { containers, volumes: [{ name: "v" }] } }, "spec.volumes.0.emptyDir", {}],
    [
      "Pod",
      { spec: { containers, volumes: [{ name: "v", secret: { secretName: "s" } }] } },
      "spec.volumes.0.secret.defaultMode",
      420,
    ],
    ["Deployment", { spec: workload }, "spec.replicas", 1],
    [
      "Deployment",
      { spec: workload },
      "spec.strategy",
      { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
    ],
    ["Deployment", { spec: workload }, "spec.revisionHistoryLimit", 10],
    ["Deployment", { spec: workload }, "spec.progressDeadlineSeconds", 600],
    ["Deployment", { spec: { ...workload, replicas: 0 } }, "spec.replicas", 0],
    ["Deployment", { spec: workload }, "spec.template.spec.dnsPolicy", "ClusterFirst"],
    ["Deployment", { spec: workload }, "spec.template.spec.enableServiceLinks", undefined],
    ["StatefulSet", { spec: workload }, "spec.podManagementPolicy", "OrderedReady"],
    [
      "StatefulSet",
      { spec: workload },
      "spec.updateStrategy",
      { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
    ],
    [
      "DaemonSet",
      { spec: workload },
      "spec.updateStrategy.rollingUpdate",
      { maxUnavailable: 1, maxSurge: 0 },
    ],
    ["Job", { spec: { template: never } }, "spec.backoffLimit", 6],
    ["Job", { spec: { template: never } }, "spec.completions", 1],
    ["Job", { spec: { template: never, parallelism: 2 } }, "spec.completions", undefined],
    ["Job", { spec: { template: never } }, "metadata.labels", labels],
    ["CronJob", { spec: { schedule: "* * * * *" } }, "spec.successfulJobsHistoryLimit", 3],
    ["CronJob", { spec: { schedule: "* * * * *" } }, "spec.concurrencyPolicy", "Allow"],
    [
      "Service",
      { spec: { ports: [{ port: 80 }] } },
      "spec.ports.0",
      { port: 80, protocol: "TCP", targetPort: 80 },
    ],
    ["PersistentVolumeClaim", {}, "spec.volumeMode", "Filesystem"],
    ["StorageClass", { provisioner: "x" }, "volumeBindingMode", "Immediate"],
    ["NetworkPolicy", { spec: { egress: [{}] } }, "spec.policyTypes", ["Ingress", "Egress"]],
    [
      "RoleBinding",
      { roleRef: { kind: "Role", name: "r" }, subjects: [{ kind: "User", name: "u" }] },
      "subjects.0.apiGroup",
      "rbac.authorization.k8s.io",
    ],
    ["Secret", {}, "type", "Opaque"],
    ["PriorityClass", { value: 1 }, "preemptionPolicy", "PreemptLowerPriority"],
    ["CSIDriver", { spec: {} }, "spec.volumeLifecycleModes", ["Persistent"]],
    [
      "LimitRange",
      { spec: { limits: [{ type: "Container", max: { cpu: "2" } }] } },
      "spec.limits.0.defaultRequest",
      { cpu: "2" },
    ],
  ];
  for (const [kind, object, path, expected] of rows) {
    const found = path
      .split(".")
      .reduce<unknown>(
        (at, step) => (Array.isArray(at) ? at[Number(step)] : valueAt(at, step)),
        complete(kind, object),
      );
    assert.deepEqual(found, expected, `${kind} ${path}`);
  }
});

test("defaulting a complete object returns the same object", () => {
  const type = typeOfKind("StorageClass");
  const whole = complete("StorageClass", { provisioner: "x" });
  assert.equal(withTypeDefaults(type, whole), whole);
  const pod = complete("Pod", { spec: { containers } });
  assert.deepEqual(complete("Pod", pod), pod);
});

test("violations are reported with Kubernetes' messages", () => {
  const container = (more: Fields) => ({ spec: { containers: [{ name: "c", image: "i", ...more }] } });
  const rows: readonly [kind: string, object: Fields, ...wrongs: string[]][] = [
    ["Pod", { spec: { containers } }],
    ["Pod", { spec: {} }, "spec.containers: Required value"],
    ["Pod", { spec: { containers: [{ name: "c" }] } }, "spec.containers[0].image: Required value"],
    ["Pod", { spec: { containers: [{ image: "i" }] } }, "spec.containers[0].name: Required value"],
    [
      "Pod",
      { spec: { containers: [...containers, ...containers] } },
      'spec.containers[1].name: Duplicate value: "c"',
    ],
    [
      "Pod",
      container({ ports: [{ containerPort: 70000 }] }),
      "spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
    ],
    [
      "Pod",
      container({ imagePullPolicy: "Often" }),
      'spec.containers[0].imagePullPolicy: Unsupported value: "Often": supported values: "Always", "IfNotPresent", "Never"',
    ],
    [
      "Pod",
      container({ volumeMounts: [{ name: "v", mountPath: "/x" }] }),
      'spec.containers[0].volumeMounts[0].name: Not found: "v"',
    ],
    [
      "Pod",
      container({ resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } }),
      'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ],
    [
      "Pod",
      container({ livenessProbe: {} }),
      "spec.containers[0].livenessProbe: Required value: must specify a handler type",
    ],
    [
      "Pod",
      { spec: { containers, restartPolicy: "Sometimes" } },
      'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
    ],
    ["Deployment", { spec: workload }],
    [
      "Deployment",
      { spec: { ...workload, replicas: -1 } },
      "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
    ],
    [
      "Deployment",
      { spec: { ...workload, selector: { matchLabels: { app: "y" } } } },
      'spec.template.metadata.labels: Invalid value: {"app":"x"}: `selector` does not match template `labels`',
    ],
    [
      "Deployment",
      { spec: { template: workload.template } },
      "spec.selector: Required value",
      'spec.template.metadata.labels: Invalid value: {"app":"x"}: `selector` does not match template `labels`',
    ],
    [
      "Deployment",
      {
        spec: {
          ...workload,
          template: { metadata: { labels }, spec: { containers, restartPolicy: "Never" } },
        },
      },
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    [
      "Deployment",
      { spec: { ...workload, strategy: { type: "Recreate", rollingUpdate: {} } } },
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    ],
    [
      "Deployment",
      { spec: { ...workload, strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } } } },
      "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0",
    ],
    [
      "StatefulSet",
      { spec: { ...workload, podManagementPolicy: "Any" } },
      "spec.podManagementPolicy: Invalid value: \"Any\": must be 'OrderedReady' or 'Parallel'",
    ],
    ["Job", { spec: { selector: workload.selector, template: never } }],
    [
      "Job",
      { spec: workload },
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ],
    ["CronJob", { spec: { jobTemplate: { spec: { template: never } } } }, "spec.schedule: Required value"],
    [
      "CronJob",
      { spec: { schedule: "* * *", jobTemplate: { spec: { template: never } } } },
      'spec.schedule: Invalid value: "* * *": expected exactly 5 fields, found 3: [* * *]',
    ],
    ["Service", { spec: {} }, "spec.ports: Required value"],
    [
      "Service",
      { spec: { ports: [{ port: 80 }, { port: 81 }] } },
      "spec.ports[0].name: Required value",
      "spec.ports[1].name: Required value",
    ],
    [
      "Service",
      { spec: { ports: [{ port: 0 }] } },
      "spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive",
      "spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive",
    ],
    [
      "ConfigMap",
      { data: { "a b": "x" } },
      "data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' " +
        "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    ],
    ["Secret", { type: "kubernetes.io/tls", data: { "tls.crt": "" } }, "data[tls.key]: Required value"],
    [
      "PersistentVolumeClaim",
      {},
      "spec.accessModes: Required value: at least 1 access mode is required",
      "spec.resources[storage]: Required value",
    ],
    [
      "Role",
      { rules: [{ apiGroups: [""], resources: ["pods"] }] },
      "rules[0].verbs: Required value: verbs must contain at least one value",
    ],
    [
      "ClusterRoleBinding",
      { roleRef: { kind: "Role", name: "r" } },
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
    ],
    [
      "PodDisruptionBudget",
      { spec: { minAvailable: 1, maxUnavailable: 1 } },
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ],
    [
      "Ingress",
      { spec: {} },
      "spec: Invalid value: null: either `defaultBackend` or `rules` must be specified",
    ],
    [
      "Ingress",
      {
        spec: {
          rules: [
            { http: { paths: [{ path: "/", backend: { service: { name: "s", port: { number: 80 } } } }] } },
          ],
        },
      },
      "spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified",
    ],
    [
      "Node",
      { spec: { taints: [{ key: "k", effect: "Never" }] } },
      'spec.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
    ["StorageClass", {}, "provisioner: Required value"],
    [
      "PriorityClass",
      { value: 2_000_000_000 },
      "value: Forbidden: maximum allowed value of a user defined priority is 1000000000",
    ],
    [
      "Lease",
      { spec: { leaseDurationSeconds: 0 } },
      "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0",
    ],
    [
      "EndpointSlice",
      { addressType: "IPv4", endpoints: [{ addresses: [] }] },
      "endpoints[0].addresses: Required value: must contain at least 1 address",
    ],
  ];
  for (const [kind, object, ...expected] of rows) assert.deepEqual(wrongs(kind, object), expected, kind);
  assert.deepEqual(
    wrongs("HorizontalPodAutoscaler", { spec: { scaleTargetRef: { kind: "Deployment", name: "d" } } }, "v2"),
    [
      "spec.maxReplicas: Required value: must be set and greater than 0",
      "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`",
      'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
    ],
  );
});

test("immutable fields cannot be changed", () => {
  const image = (name: string) => ({ spec: { containers: [{ name: "c", image: name }] } });
  const claim = (storage: string) => ({ spec: { resources: { requests: { storage } } } });
  const rows: readonly [kind: string, object: Fields, current: Fields, ...wrongs: string[]][] = [
    [
      "Deployment",
      { spec: { ...workload, selector: { matchLabels: { app: "y" } } } },
      { spec: workload },
      'spec.selector: Invalid value: {"matchLabels":{"app":"y"}}: field is immutable',
    ],
    ["Deployment", { spec: { ...workload, replicas: 3 } }, { spec: workload }],
    ["StatefulSet", { spec: { ...workload, replicas: 3 } }, { spec: workload }],
    [
      "StatefulSet",
      { spec: { ...workload, serviceName: "other" } },
      { spec: workload },
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
        "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ],
    ["Pod", image("b"), image("a")],
    [
      "Pod",
      { spec: { containers: [...containers, { name: "d", image: "i" }] } },
      { spec: { containers } },
      "spec.containers: Forbidden: pod updates may not add or remove containers",
    ],
    ["Secret", { type: "a" }, { type: "b" }, 'type: Invalid value: "a": field is immutable'],
    [
      "PersistentVolumeClaim",
      claim("2Gi"),
      claim("1Gi"),
      "spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims",
    ],
    [
      "PersistentVolumeClaim",
      { ...claim("2Gi"), status: { phase: "Bound" } },
      { ...claim("1Gi"), status: { phase: "Bound" } },
    ],
    [
      "RoleBinding",
      { roleRef: { kind: "Role", name: "a" } },
      { roleRef: { kind: "Role", name: "b" } },
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"a"}: cannot change roleRef',
    ],
    [
      "StorageClass",
      { provisioner: "a" },
      { provisioner: "b" },
      'provisioner: Invalid value: "a": field is immutable',
    ],
    ["Job", { spec: { template: never, parallelism: 2, completions: 1 } }, { spec: { template: never } }],
  ];
  for (const [kind, object, current, ...expected] of rows)
    assert.deepEqual(changeWrongs(kind, object, current), expected, kind);
  const [pod] = changeWrongs("Pod", { spec: { containers, hostNetwork: true } }, { spec: { containers } });
  assert.match(
    pod ?? "",
    /^spec: Forbidden: pod updates may not change fields other than `spec.containers\[\*\].image`/,
  );
  const [job] = changeWrongs("Job", { spec: { template: workload.template } }, { spec: { template: never } });
  assert.match(job ?? "", /^spec.template: Invalid value: .*: field is immutable$/);
});

const mounted = (volume: object, mount?: object): Fields => ({
  metadata: { name: "p" },
  spec: {
    volumes: [{ name: "v", ...volume }],
    containers: [
      {
        name: "c",
        image: "i",
        ...(mount ? { volumeMounts: [{ name: "v", mountPath: "/m", ...mount }] } : {}),
      },
    ],
  },
});
const item = (path: string) => mounted({ configMap: { name: "m", items: [{ key: "k", path }] } });
const downward = (path: string) =>
  mounted({ downwardAPI: { items: [{ path, fieldRef: { fieldPath: "metadata.labels" } }] } });
// Test cases, each with the messages that kube-apiserver returns.
const volumePaths: readonly (readonly [string, Fields, readonly string[]])[] = [
  ["a host path with dots", mounted({ hostPath: { path: "/a/../../etc" } }), ["must not contain '..'"]],
  ["a host path with dots in names", mounted({ hostPath: { path: "/..x/a..b" } }), []],
  ["a relative host path", mounted({ hostPath: { path: "etc" } }), []],
  ["a subPath with dots", mounted({ emptyDir: {} }, { subPath: "a/../../b" }), ["must not contain '..'"]],
  ["an absolute subPath", mounted({ emptyDir: {} }, { subPath: "/b" }), ["must be a relative path"]],
  [
    "both kinds of subPath",
    mounted({ emptyDir: {} }, { subPath: "b", subPathExpr: "c" }),
    ["subPathExpr and subPath are mutually exclusive"],
  ],
  ["a file above its volume", item("../x"), ["must not contain '..'"]],
  ["a file reserved for the kubelet", item("..x"), ["must not start with '..'"]],
  ["an absolute file", item("/x"), ["must be a relative path"]],
  ["a field above its volume", downward("../l"), ["must not contain '..'"]],
  ["a field in a file reserved for the kubelet", downward("..l"), ["must not start with '..'"]],
  ["a claim with any name", mounted({ persistentVolumeClaim: { claimName: "../../x" } }), []],
];
for (const [what, pod, messages] of volumePaths)
  test(`volumes: ${what}`, () => {
    const found = wrongs("Pod", pod).map((wrong) =>
      wrong.replace(/^\S+: /, "").replace(/^Invalid value: ".*?": /, ""),
    );
    assert.deepEqual(found, messages);
  });
