import { absent, type ConformanceCase, exchange } from "../case.ts";
import { mergePatch, pod, pods, post } from "../requests.ts";

const image = "example.com/app:1";
const container = (resources: object, name = "c") => ({ name, image, resources });
const both = (amounts: object) => ({ limits: amounts, requests: amounts });
const full = { cpu: "1", memory: "1Gi" };
const limitRanges = "/api/v1/namespaces/{ns}/limitranges";
const podTemplates = "/api/v1/namespaces/{ns}/podtemplates";
const capacities = "/apis/storage.k8s.io/v1/namespaces/{ns}/csistoragecapacities";

const classes: readonly (readonly [name: string, spec: object, qosClass: string])[] = [
  ["has no requests", { containers: [container({})] }, "BestEffort"],
  [
    "has only requests that do not count",
    { containers: [container(both({ "ephemeral-storage": "1Gi" }))] },
    "BestEffort",
  ],
  ["asks for zero", { containers: [container(both({ cpu: "0", memory: "0" }))] }, "BestEffort"],
  ["has limits for cpu and memory", { containers: [container({ limits: full })] }, "Guaranteed"],
  [
    "has equal requests in a different notation",
    { containers: [container({ limits: full, requests: { cpu: "1000m", memory: "1024Mi" } })] },
    "Guaranteed",
  ],
  ["has no memory limit", { containers: [container({ limits: { cpu: "1" } })] }, "Burstable"],
  [
    "has a container without limits",
    { containers: [container({ limits: full }), container({}, "d")] },
    "Burstable",
  ],
  [
    "has an init container without limits",
    { initContainers: [container({}, "i")], containers: [container({ limits: full })] },
    "Burstable",
  ],
  [
    "has requests below its limits",
    { containers: [container({ limits: full, requests: { cpu: "1", memory: "1Mi" } })] },
    "Burstable",
  ],
  [
    "has equal pod-level requests and limits",
    { resources: { limits: full }, containers: [container({ requests: { cpu: "1" } })] },
    "Guaranteed",
  ],
  [
    "has pod-level requests below its limits",
    {
      resources: { limits: full, requests: { cpu: "500m" } },
      containers: [container({ limits: full, requests: { cpu: "100m", memory: "1Mi" } })],
    },
    "Burstable",
  ],
];

/** Conformance cases for resource requests and limits of pods: canonical form, defaults and validation. */
export const podResourceCases: readonly ConformanceCase[] = [
  exchange({
    name: "quantities have their canonical form",
    when: post(
      pods,
      pod(
        "a",
        {},
        {
          containers: [
            {
              ...container({
                limits: { cpu: 1.5, memory: "2048Ki" },
                requests: { cpu: "0.5", memory: "1e3" },
              }),
              env: [
                { name: "A", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "1000m" } } },
              ],
            },
          ],
          volumes: [{ name: "v", emptyDir: { sizeLimit: "1.5Gi" } }],
        },
      ),
    ),
    status: 201,
    body: {
      spec: {
        containers: [
          {
            resources: { limits: { cpu: "1500m", memory: "2Mi" }, requests: { cpu: "500m", memory: "1e3" } },
            env: [{ valueFrom: { resourceFieldRef: { divisor: "1" } } }],
          },
        ],
      },
    },
  }),
  exchange({
    name: "quantities in pod templates have their canonical form",
    given: [
      post(podTemplates, {
        metadata: { name: "t" },
        template: { spec: { containers: [container({ limits: { cpu: "1000m" } })] } },
      }),
    ],
    when: mergePatch(`${podTemplates}/t`, {
      template: { spec: { volumes: [{ name: "v", emptyDir: { sizeLimit: "1024Mi" } }] } },
    }),
    status: 200,
    body: {
      template: {
        spec: {
          containers: [{ resources: { limits: { cpu: "1" }, requests: absent } }],
          volumes: [{ emptyDir: { sizeLimit: "1Gi" } }],
        },
      },
    },
  }),
  exchange({
    name: "resource lists have a precision of one thousandth",
    when: post(limitRanges, {
      metadata: { name: "l" },
      spec: { limits: [{ type: "Pod", max: { cpu: "1500u" } }] },
    }),
    status: 201,
    body: { spec: { limits: [{ max: { cpu: "2m" } }] } },
  }),
  exchange({
    name: "other quantities have a precision of one billionth",
    when: post(capacities, { metadata: { name: "c" }, storageClassName: "s", capacity: "0.0000015" }),
    status: 201,
    body: { capacity: "1500n" },
  }),
  exchange({
    name: "a quantity with an invalid suffix is rejected",
    when: post(pods, pod("a", {}, { containers: [container({ limits: { cpu: "1Kii" } })] })),
    status: 400,
    body: { message: /: unable to parse quantity's suffix$/ },
  }),
  ...classes.map(([name, spec, qosClass]) =>
    exchange({
      name: `a pod that ${name} has the QoS class ${qosClass} on creation`,
      when: post(pods, pod("a", {}, spec)),
      status: 201,
      body: { status: { phase: "Pending", qosClass } },
    }),
  ),
  exchange({
    name: "a status write without the QoS class keeps it",
    given: [post(pods, pod("a"))],
    when: mergePatch(`${pods}/a/status`, { status: { qosClass: null, phase: "Running" } }),
    status: 200,
    body: { status: { phase: "Running", qosClass: "BestEffort" } },
  }),
  exchange({
    name: "limits are the default requests, also in init containers",
    when: post(
      pods,
      pod(
        "a",
        {},
        {
          initContainers: [container({ limits: { cpu: "2" } }, "i")],
          containers: [container({ limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "1m" } })],
        },
      ),
    ),
    status: 201,
    body: {
      spec: {
        initContainers: [{ resources: { requests: { cpu: "2" } } }],
        containers: [{ resources: { requests: { cpu: "1m", memory: "1Gi" } } }],
      },
    },
  }),
  exchange({
    name: "default requests of a pod with pod-level limits are those of its containers or its limits",
    when: post(
      pods,
      pod(
        "a",
        {},
        {
          resources: { limits: { cpu: "4", memory: "4Gi" } },
          initContainers: [
            { ...container({ requests: { cpu: "500m" } }, "side"), restartPolicy: "Always" },
            container({ requests: { cpu: "100m" } }, "first"),
          ],
          containers: [container({ requests: { cpu: "1" } }), container({ requests: { cpu: "250m" } }, "d")],
        },
      ),
    ),
    status: 201,
    body: {
      spec: { resources: { limits: { cpu: "4", memory: "4Gi" }, requests: { cpu: "1750m", memory: "4Gi" } } },
    },
  }),
  exchange({
    name: "pod-level requests must not be less than those of the containers",
    when: post(
      pods,
      pod(
        "a",
        {},
        { resources: { requests: { cpu: "500m" } }, containers: [container({ requests: { cpu: "1000m" } })] },
      ),
    ),
    status: 422,
    body: {
      details: {
        causes: [
          {
            field: "spec.resources.requests[cpu]",
            message:
              'Invalid value: "500m": must be greater than or equal to aggregate container requests of 1',
          },
        ],
      },
    },
  }),
  exchange({
    name: "a pod with pod-level requests gets no default requests",
    when: post(
      pods,
      pod(
        "a",
        {},
        { resources: { requests: { cpu: "4" } }, containers: [container({ requests: { memory: "1Gi" } })] },
      ),
    ),
    status: 201,
    body: { spec: { resources: { requests: { cpu: "4", memory: absent }, limits: absent } } },
  }),
];
