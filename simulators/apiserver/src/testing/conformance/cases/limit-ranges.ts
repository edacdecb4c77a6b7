import { absent, type ConformanceCase, exchange } from "../case.ts";
import { deployments, mergePatch, pod, pods, post } from "../requests.ts";

const image = "example.com/app:1";
const limitRanges = "/api/v1/namespaces/{ns}/limitranges";
const claims = "/api/v1/namespaces/{ns}/persistentvolumeclaims";
const limitRange = (...limits: readonly object[]) =>
  post(limitRanges, { metadata: { name: "l" }, spec: { limits } });
const container = (resources: object, name = "c") => ({ name, image, resources });
const claim = (storage: string, name = "a") => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
});

const refusals: readonly (readonly [name: string, limit: object, spec: object, why: string])[] = [
  [
    "a container with a request below the minimum",
    { type: "Container", min: { cpu: "100m" } },
    { containers: [container({ requests: { cpu: "0.05" } })] },
    "minimum cpu usage per Container is 100m, but request is 50m",
  ],
  [
    "a container with a limit below the minimum",
    { type: "Container", min: { memory: "1Gi" } },
    {
      containers: [container({ requests: { memory: "1Gi" }, limits: { memory: "1Gi" } })],
      initContainers: [container({ requests: { memory: "1Mi" } }, "i")],
    },
    "minimum memory usage per Container is 1Gi, but request is 1Mi",
  ],
  [
    "a container with a limit above the maximum",
    { type: "Container", max: { cpu: "1" } },
    { containers: [container({ limits: { cpu: "1500m" }, requests: { cpu: "1" } })] },
    "maximum cpu usage per Container is 1, but limit is 1500m",
  ],
  [
    "a pod without requests",
    { type: "Pod", min: { cpu: "1" } },
    {},
    "minimum cpu usage per Pod is 1.  No request is specified",
  ],
  [
    "a pod without limits",
    { type: "Pod", max: { cpu: "1" } },
    {},
    "maximum cpu usage per Pod is 1.  No limit is specified",
  ],
  [
    "a pod with containers above the maximum in total",
    { type: "Pod", max: { memory: "1Gi" } },
    {
      containers: [
        container({ limits: { memory: "600Mi" } }),
        container({ limits: { memory: "600Mi" } }, "d"),
      ],
    },
    "maximum memory usage per Pod is 1Gi, but limit is 1200Mi",
  ],
  [
    "a pod with an init container above the maximum",
    { type: "Pod", max: { memory: "1Gi" } },
    {
      initContainers: [container({ limits: { memory: "2Gi" } }, "i")],
      containers: [container({ limits: { memory: "600Mi" } })],
    },
    "maximum memory usage per Pod is 1Gi, but limit is 2Gi",
  ],
  [
    "a container with a limit to request ratio above the maximum",
    { type: "Container", maxLimitRequestRatio: { cpu: "2" } },
    { containers: [container({ limits: { cpu: "1" }, requests: { cpu: "300m" } })] },
    "cpu max limit to request ratio per Container is 2, but provided ratio is 3.333333",
  ],
  [
    "a container without a request for a limited ratio",
    { type: "Container", maxLimitRequestRatio: { cpu: "2" } },
    {},
    "cpu max limit to request ratio per Container is 2, but no request is specified or request is 0",
  ],
  [
    "a container without a limit for a limited ratio",
    { type: "Container", maxLimitRequestRatio: { cpu: "1500m" } },
    { containers: [container({ requests: { cpu: "1" } })] },
    "cpu max limit to request ratio per Container is 1500m, but no limit is specified or limit is 0",
  ],
  [
    "a pod with two violations",
    { type: "Pod", min: { cpu: "1" }, max: { memory: "1Gi" } },
    { containers: [container({ limits: { cpu: "100m", memory: "2Gi" } })] },
    "[minimum cpu usage per Pod is 1, but request is 100m, maximum memory usage per Pod is 1Gi, but limit is 2Gi]",
  ],
];

const wrongs: readonly (readonly [name: string, limits: readonly object[], causes: readonly object[]])[] = [
  [
    "of an unknown type",
    [{ type: "Node" }],
    [
      {
        field: "spec.limits[0].type",
        message: 'Invalid value: "Node": must be a standard limit type or fully qualified',
      },
    ],
  ],
  [
    "of one type twice",
    [{ type: "Pod" }, { type: "Pod" }],
    [{ field: "spec.limits[1].type", message: 'Duplicate value: "Pod"' }],
  ],
  [
    "with defaults for pods",
    [{ type: "Pod", default: { cpu: "1" } }],
    [{ field: "spec.limits[0].default", message: "Forbidden: may not be specified when `type` is 'Pod'" }],
  ],
  [
    "of claims without a size",
    [{ type: "PersistentVolumeClaim" }],
    [
      {
        field: "spec.limits[0].limits",
        message:
          "Required value: either minimum or maximum storage value is required, but neither was provided",
      },
    ],
  ],
  [
    "with a minimum above its maximum",
    [{ type: "Pod", min: { cpu: "2" }, max: { cpu: "1000m" } }],
    [
      {
        field: "spec.limits[0].min[cpu]",
        message: 'Invalid value: "2": min value 2 is greater than max value 1',
      },
    ],
  ],
  [
    "with a default above its maximum",
    [{ type: "Container", default: { cpu: "2" }, defaultRequest: { cpu: "1" }, max: { cpu: "1" } }],
    [
      {
        field: "spec.limits[0].default[cpu]",
        message: 'Invalid value: "1": default value 2 is greater than max value 1',
      },
    ],
  ],
  [
    "with a ratio below one",
    [{ type: "Pod", maxLimitRequestRatio: { cpu: "0.5" } }],
    [
      {
        field: "spec.limits[0].maxLimitRequestRatio[cpu]",
        message: 'Invalid value: "500m": ratio 500m is less than 1',
      },
    ],
  ],
  [
    "with an impossible ratio",
    [{ type: "Pod", min: { cpu: "1" }, max: { cpu: "2" }, maxLimitRequestRatio: { cpu: "3" } }],
    [
      {
        field: "spec.limits[0].maxLimitRequestRatio[cpu]",
        message: 'Invalid value: "3": ratio 3 is greater than max/min = 2.000000',
      },
    ],
  ],
  [
    "of a resource that containers do not have",
    [{ type: "Container", max: { pods: "1" }, default: {} }],
    ["max", "default", "defaultRequest"].map((member) => ({
      field: `spec.limits[0].${member}[pods]`,
      message: 'Invalid value: "pods": must be a standard resource for containers',
    })),
  ],
];

/** Conformance cases for LimitRange defaults and limits in pods and claims. */
export const limitRangeCases: readonly ConformanceCase[] = [
  exchange({
    name: "containers without requests and limits get defaults of the namespace and an annotation",
    given: [
      limitRange({
        type: "Container",
        default: { memory: "1Gi", cpu: "1" },
        defaultRequest: { memory: "512Mi", cpu: "100m" },
      }),
    ],
    when: post(
      pods,
      pod(
        "a",
        {},
        {
          initContainers: [container({}, "i")],
          containers: [container({ limits: { cpu: "2" } }), container({ requests: { memory: "1Mi" } }, "d")],
        },
      ),
    ),
    status: 201,
    body: {
      metadata: {
        annotations: {
          "kubernetes.io/limit-ranger":
            "LimitRanger plugin set: memory request for container c; memory limit for container c; " +
            "cpu request for container d; cpu, memory limit for container d; " +
            "cpu, memory request for init container i; cpu, memory limit for init container i",
        },
      },
      spec: {
        initContainers: [
          { resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "100m", memory: "512Mi" } } },
        ],
        containers: [
          { resources: { limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "2", memory: "512Mi" } } },
          { resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "100m", memory: "1Mi" } } },
        ],
      },
      status: { qosClass: "Burstable" },
    },
  }),
  exchange({
    name: "without defaults, the maximum is the default limit and request",
    when: limitRange({ type: "Container", max: { cpu: "1" }, min: { cpu: "100m", memory: "1Mi" } }),
    status: 201,
    body: {
      spec: {
        limits: [{ default: { cpu: "1", memory: absent }, defaultRequest: { cpu: "1", memory: "1Mi" } }],
      },
    },
  }),
  exchange({
    name: "a pod with all resources gets no annotation",
    given: [limitRange({ type: "Container", default: { cpu: "1" } })],
    when: post(pods, pod("a", {}, { containers: [container({ limits: { cpu: "1" } })] })),
    status: 201,
    body: { metadata: { annotations: absent } },
  }),
  exchange({
    name: "pod templates are not checked",
    given: [limitRange({ type: "Pod", min: { cpu: "1" } })],
    when: post(deployments, {
      metadata: { name: "d" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [container({})] } },
      },
    }),
    status: 201,
    body: { spec: { template: { spec: { containers: [{ resources: { limits: absent } }] } } } },
  }),
  ...refusals.map(([name, limit, spec, why]) =>
    exchange({
      name: `limits reject ${name}`,
      given: [limitRange(limit)],
      when: post(pods, pod("a", {}, spec)),
      status: 403,
      body: {
        reason: "Forbidden",
        message: `pods "a" is forbidden: ${why}`,
        details: { name: "a", kind: "pods" },
      },
    }),
  ),
  ...wrongs.map(([name, limits, causes]) =>
    exchange({
      name: `a LimitRange ${name} is invalid`,
      when: limitRange(...limits),
      status: 422,
      body: { details: { causes } },
    }),
  ),
  exchange({
    name: "limits reject a claim above the maximum",
    given: [limitRange({ type: "PersistentVolumeClaim", max: { storage: "1Gi" } })],
    when: post(claims, claim("2048Mi")),
    status: 403,
    body: {
      message:
        'persistentvolumeclaims "a" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi',
    },
  }),
  exchange({
    name: "limits reject a claim below the minimum",
    given: [limitRange({ type: "PersistentVolumeClaim", min: { storage: "1Gi" } })],
    when: post(claims, claim("1Mi")),
    status: 403,
    body: {
      message:
        'persistentvolumeclaims "a" is forbidden: minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi',
    },
  }),
  exchange({
    name: "errors of limits contain the generated pod name",
    given: [limitRange({ type: "Pod", min: { cpu: "1" } })],
    when: post(pods, { ...pod("a"), metadata: { generateName: "a-" } }),
    status: 403,
    body: {
      message: /^pods "a-\w{5}" is forbidden: minimum cpu usage per Pod is 1\. {2}No request is specified$/,
    },
  }),
  exchange({
    name: "a pod created before the limits may change",
    given: [post(pods, pod("a")), limitRange({ type: "Pod", min: { cpu: "1" } })],
    when: mergePatch(`${pods}/a`, { metadata: { labels: { a: "b" } } }),
    status: 200,
  }),
];
