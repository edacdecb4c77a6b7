import { all, type ConformanceCase } from "../case.ts";
import { refused } from "../refusal.ts";
import { post } from "../requests.ts";

const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const controller = { apiVersion: "v1", kind: "ReplicationController", name: "web" };
const create = (spec: object, version = "v2") =>
  post(`/apis/autoscaling/${version}/namespaces/{ns}/horizontalpodautoscalers`, {
    metadata: { generateName: "a-" },
    spec,
  });
const scaled = (more: object, version?: string) =>
  create({ scaleTargetRef, maxReplicas: 3, ...more }, version);
const by = (...metrics: readonly object[]) => scaled({ metrics });
const half = { type: "Utilization", averageUtilization: 50 };
const one = { type: "Value", value: "1" };
const each = { type: "AverageValue", averageValue: "1" };
const both = { type: "Value", value: "1", averageValue: "1" };
const neither = { type: "Value" };
const metric = { name: "queue" };
const cpu = (target: object, name = "cpu") => ({ type: "Resource", resource: { name, target } });
const inContainer = (more: object) => ({
  type: "ContainerResource",
  containerResource: { name: "cpu", container: "c", target: half, ...more },
});
const ofPods = (more: object) => ({ type: "Pods", pods: { metric, target: each, ...more } });
const describedObject = { kind: "Service", name: "s" };
const ofObject = (more: object) => ({
  type: "Object",
  object: { metric, describedObject, target: one, ...more },
});
const external = (more: object) => ({ type: "External", external: { metric, target: one, ...more } });
const up = (scaleUp: object) => scaled({ behavior: { scaleUp } });
const policy = { type: "Pods", value: 1, periodSeconds: 60 };

const types = '"ContainerResource", "External", "Object", "Pods", "Resource"';
const noGroup = 'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group';
const noKind = "spec.scaleTargetRef.kind: Required value";
const noName = "spec.scaleTargetRef.name: Required value";
const atZero =
  "spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas";
const one0 = "spec.minReplicas: Invalid value: 0: must be greater than or equal to 1";
const empty = [
  "spec.maxReplicas: Required value: must be set and greater than 0",
  "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`",
  noKind,
  noName,
  noGroup,
];
const m = "spec.metrics[0]";
const source = "must populate information for the given metric source";
const eitherType = "must be either Utilization, Value, or AverageValue";
const utilization = "must set either a target raw value or a target utilization";
const rawAndUtilization = "Forbidden: may not set both a target raw value and a target utilization";
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const rules = "spec.behavior.scaleUp";

export const autoscalingCases: readonly ConformanceCase[] = [
  refused("target and replica range of an autoscaler", [
    [create({}), ...empty],
    [create({}, "v1"), ...empty],
    [scaled({ minReplicas: 0 }), one0, atZero],
    [scaled({ minReplicas: 0 }, "v1"), one0, atZero],
    [scaled({ minReplicas: 0, metrics: [external({})] }), one0],
    [scaled({ scaleTargetRef: { kind: "", name: "" } }), noKind, noName, noGroup],
    [
      scaled({ scaleTargetRef: { apiVersion: "a/b/c", kind: "a/b", name: "x%y" } }),
      "spec.scaleTargetRef.kind: Invalid value: \"a/b\": may not contain '/'",
      "spec.scaleTargetRef.name: Invalid value: \"x%y\": may not contain '%'",
      'spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    ],
    [
      scaled({ scaleTargetRef: { apiVersion: "v1", kind: "Pod", name: "p" } }),
      'spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group',
    ],
    [
      scaled({ targetCPUUtilizationPercentage: 0 }, "v1"),
      `${m}.resource.target.averageUtilization: Invalid value: 0: must be greater than 0`,
    ],
  ]),
  refused("each autoscaler metric has only the source of its type", [
    [
      by({ type: "" }),
      `${m}.type: Required value: must specify a metric source type`,
      `${m}.type: Unsupported value: "": supported values: ${types}`,
      `${m}.type: Unsupported value: "": supported values: ${types}`,
    ],
    [
      by({ type: "Foo" }),
      `${m}.type: Unsupported value: "Foo": supported values: ${types}`,
      `${m}.type: Unsupported value: "Foo": supported values: ${types}`,
    ],
    [by({ type: "Pods", resource: cpu(half).resource }), `${m}.pods: Required value: ${source}`],
    [
      by({ ...cpu(half), pods: ofPods({}).pods }),
      `${m}.pods: Forbidden: must populate the given metric source only`,
    ],
  ]),
  refused("resource metric targets are utilizations or values", [
    [by(cpu(half, "")), `${m}.resource.name: Required value: must specify a resource name`],
    [by(cpu({ ...half, averageValue: "1" })), `${m}.resource.target.averageValue: ${rawAndUtilization}`],
    [by(cpu(one)), `${m}.resource.target.averageUtilization: Required value: ${utilization}`],
    [
      by(cpu({ ...half, averageUtilization: 0 })),
      `${m}.resource.target.averageUtilization: Invalid value: 0: must be greater than 0`,
    ],
    [
      by(cpu({ ...each, averageValue: "-1" })),
      `${m}.resource.target.averageValue: Invalid value: "-1": must be positive`,
    ],
    [
      by(cpu({ ...half, type: "" })),
      `${m}.resource.target.type: Required value: must specify a metric target type`,
      `${m}.resource.target.type: Invalid value: "": ${eitherType}`,
    ],
    [by(cpu({ ...half, type: "Foo" })), `${m}.resource.target.type: Invalid value: "Foo": ${eitherType}`],
    [
      by(inContainer({ name: "", container: "" })),
      `${m}.containerResource.name: Required value: must specify a resource name`,
      `${m}.containerResource.container: Required value: must specify a container`,
    ],
    [
      by(inContainer({ container: "A/b" })),
      `${m}.containerResource.container: Invalid value: "A/b": ${label}`,
    ],
    [
      by(inContainer({ name: "foo" })),
      `${m}.containerResource.name: Invalid value: "foo": must be a standard resource type or fully qualified`,
      `${m}.containerResource.name: Invalid value: "foo": must be a standard resource for containers`,
    ],
    [
      by(inContainer({ target: one })),
      `${m}.containerResource.target.averageUtilization: Required value: ${utilization}`,
    ],
  ]),
  refused("other metric targets are values", [
    [
      by(ofPods({ metric: { name: "" } })),
      `${m}.pods.metric.name: Required value: must specify a metric name`,
    ],
    [
      by(ofPods({ metric: { name: "a/b" } })),
      `${m}.pods.metric.name: Invalid value: "a/b": may not contain '/'`,
    ],
    [
      by(ofPods({ target: half })),
      `${m}.pods.target.averageValue: Required value: must specify a positive target averageValue`,
    ],
    [
      by({ type: "Object", object: { metric, target: one } }),
      `${m}.object.describedObject.kind: Required value`,
      `${m}.object.describedObject.name: Required value`,
    ],
    [
      by(ofObject({ target: half })),
      `${m}.object.target.averageValue: Required value: must set either a target value or averageValue`,
    ],
    [
      by(external({ target: neither })),
      `${m}.external.target.averageValue: Required value: must set either a target value for metric or a per-pod target`,
    ],
    [
      by(external({ target: both })),
      `${m}.external.target.value: Forbidden: may not set both a target value for metric and a per-pod target`,
    ],
    [
      by(external({ target: { type: "Value", value: "-1", averageValue: "0" } })),
      `${m}.external.target.value: Invalid value: "-1": must be positive`,
      `${m}.external.target.averageValue: Invalid value: "0": must be positive`,
      `${m}.external.target.value: Forbidden: may not set both a target value for metric and a per-pod target`,
    ],
  ]),
  refused("scaling behavior of an autoscaler", [
    [up({ policies: [] }), `${rules}.policies: Required value: must specify at least one Policy`],
    [
      up({ stabilizationWindowSeconds: -1, selectPolicy: "Foo", policies: [policy] }),
      `${rules}.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero`,
      `${rules}.selectPolicy: Unsupported value: "Foo": supported values: "Disabled", "Max", "Min"`,
    ],
    [
      up({ stabilizationWindowSeconds: 3601, selectPolicy: "", policies: [policy] }),
      `${rules}.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600`,
      `${rules}.selectPolicy: Unsupported value: "": supported values: "Disabled", "Max", "Min"`,
    ],
    [
      up({ policies: [{ type: "", value: 0, periodSeconds: 1801 }], tolerance: "-1" }),
      `${rules}.policies[0].type: Unsupported value: "": supported values: "Percent", "Pods"`,
      `${rules}.policies[0].value: Invalid value: 0: must be greater than zero`,
      `${rules}.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800`,
      `${rules}.tolerance: Invalid value: "-1": must be greater than or equal to 0`,
    ],
  ]),
  {
    name: "autoscalers with every metric type",
    run: async (api) => {
      const metrics = [
        cpu(half),
        cpu(each, "odd name"),
        inContainer({}),
        ofPods({}),
        ofObject({}),
        external({}),
      ];
      const labelled = ofPods({ metric: { name: "q", selector: { matchLabels: { "a b": "c" } } } });
      await all(api, [
        by(...metrics),
        by(labelled),
        by(ofObject({ target: both })),
        scaled({}, "v1"),
        scaled({ scaleTargetRef: controller }),
      ]);
    },
  },
];
