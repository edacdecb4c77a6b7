import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { objectAt } from "@keelson/base";
import type { Api, Request, Response } from "../api.ts";
import { all, type ConformanceCase, exchange, matches } from "../case.ts";
import { configMap, configMaps, deployments, get, mergePatch, pod, pods, post } from "../requests.ts";

const image = "example.com/app:1";
const quotas = "/api/v1/namespaces/{ns}/resourcequotas";
const services = "/api/v1/namespaces/{ns}/services";
const claims = "/api/v1/namespaces/{ns}/persistentvolumeclaims";
const container = (resources: object, name = "c") => ({ name, image, resources });
const asking = (name: string, requests: object, limits: object = {}) =>
  pod(name, {}, { containers: [container({ requests, limits })] });
const service = (name: string, type: string, ports = 1) => ({
  metadata: { name },
  spec: { type, ports: Array.from({ length: ports }, (_, at) => ({ name: `p${at}`, port: 80 + at })) },
});
const claim = (name: string, storage: string, storageClassName?: string) => ({
  metadata: { name },
  spec: {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage } },
    ...(storageClassName === undefined ? {} : { storageClassName }),
  },
});
const configMapCount = (count: string) => ({ "count/configmaps": count });

interface QuotaCase {
  readonly name: string;
  readonly hard: Readonly<Record<string, string>>;
  readonly spec?: object;
  /** Usage by objects that the server creates in a new namespace. */
  readonly used?: Readonly<Record<string, string>>;
  readonly given?: readonly Request[];
  readonly when: Request;
  readonly status: number;
  readonly message?: string | RegExp;
  readonly after?: Readonly<Record<string, string>>;
}

const cases: readonly QuotaCase[] = [
  {
    name: "a pod within its quota is charged",
    hard: { pods: "2", "requests.cpu": "2", cpu: "2", "limits.memory": "1Gi", "count/pods": "5" },
    given: [post(pods, asking("a", { cpu: "500m" }, { memory: "256Mi" }))],
    when: post(pods, asking("b", { cpu: "250m" }, { memory: "256Mi" })),
    status: 201,
    after: { pods: "2", "requests.cpu": "750m", cpu: "750m", "limits.memory": "512Mi", "count/pods": "2" },
  },
  {
    name: "a pod beyond its quota is rejected with the requested and used amounts",
    hard: { pods: "1", "requests.cpu": "1", "requests.memory": "10Gi" },
    given: [post(pods, asking("a", { cpu: "600m", memory: "1Gi" }))],
    when: post(pods, asking("b", { cpu: "0.5", memory: "1Gi" })),
    status: 403,
    message:
      'pods "b" is forbidden: exceeded quota: q, requested: pods=1,requests.cpu=500m, used: pods=1,requests.cpu=600m, limited: pods=1,requests.cpu=1',
    after: { pods: "1", "requests.cpu": "600m", "requests.memory": "1Gi" },
  },
  {
    name: "a pod without a limited resource is rejected",
    hard: { "limits.cpu": "1", memory: "1Gi" },
    when: post(
      pods,
      pod(
        "a",
        {},
        {
          initContainers: [container({}, "i")],
          containers: [container({ requests: { memory: "1Mi" } }, "d"), container({ limits: { cpu: "1" } })],
        },
      ),
    ),
    status: 403,
    message: 'pods "a" is forbidden: failed quota: q: must specify limits.cpu for: d,i; memory for: c,i',
  },
  {
    name: "a pod with pod-level resources needs none in its containers",
    hard: { "limits.cpu": "2" },
    when: post(pods, pod("a", {}, { resources: { limits: { cpu: "1" } } })),
    status: 201,
    after: { "limits.cpu": "1" },
  },
  {
    name: "devices are charged by their limits",
    hard: { "requests.example.com/gpu": "1" },
    when: post(pods, pod("a", {}, { containers: [container({ limits: { "example.com/gpu": "2" } })] })),
    status: 403,
    message:
      'pods "a" is forbidden: exceeded quota: q, requested: requests.example.com/gpu=2, used: requests.example.com/gpu=0, limited: requests.example.com/gpu=1',
  },
  {
    name: "a dry run is not charged",
    hard: { pods: "1" },
    given: [post(`${pods}?dryRun=All`, pod("a"))],
    when: post(pods, pod("b")),
    status: 201,
    after: { pods: "1" },
  },
  {
    name: "a dry run beyond the quota is rejected",
    hard: { pods: "0" },
    when: post(`${pods}?dryRun=All`, pod("a")),
    status: 403,
    message: 'pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0',
  },
  {
    name: "the scope Terminating includes pods with a deadline",
    hard: { pods: "0" },
    spec: { scopes: ["Terminating"] },
    given: [post(pods, pod("a"))],
    when: post(pods, pod("b", {}, { activeDeadlineSeconds: 5 })),
    status: 403,
    message: 'pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0',
  },
  {
    name: "the scope NotBestEffort excludes pods without requests",
    hard: { pods: "0" },
    spec: { scopes: ["NotBestEffort"] },
    given: [post(pods, pod("a"))],
    when: post(pods, asking("b", { cpu: "1m" })),
    status: 403,
    message: 'pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0',
  },
  {
    name: "the scope PriorityClass only includes pods of the class",
    hard: { pods: "0" },
    spec: {
      scopeSelector: {
        matchExpressions: [
          { scopeName: "PriorityClass", operator: "In", values: ["system-cluster-critical"] },
        ],
      },
    },
    given: [post(pods, pod("a"))],
    when: post(pods, pod("b", {}, { priorityClassName: "system-cluster-critical" })),
    status: 403,
    message: 'pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0',
  },
  {
    name: "the scope CrossNamespacePodAffinity includes pods with such affinity",
    hard: { pods: "0" },
    spec: {
      scopeSelector: { matchExpressions: [{ scopeName: "CrossNamespacePodAffinity", operator: "Exists" }] },
    },
    given: [post(pods, pod("a"))],
    when: post(
      pods,
      pod(
        "b",
        {},
        {
          affinity: {
            podAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { topologyKey: "zone", namespaces: ["other"] },
              ],
            },
          },
        },
      ),
    ),
    status: 403,
    message: 'pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0',
  },
  {
    name: "objects are counted by their kind",
    hard: { "count/deployments.apps": "0" },
    when: post(deployments, {
      metadata: { name: "d" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [container({})] } },
      },
    }),
    status: 403,
    message:
      'deployments.apps "d" is forbidden: exceeded quota: q, requested: count/deployments.apps=1, used: count/deployments.apps=0, limited: count/deployments.apps=0',
  },
  {
    name: "some kinds also have a short quota name",
    hard: { secrets: "1", "count/secrets": "2" },
    given: [post("/api/v1/namespaces/{ns}/secrets", { metadata: { name: "a" } })],
    when: post("/api/v1/namespaces/{ns}/secrets", { metadata: { generateName: "b-" } }),
    status: 403,
    message:
      /^secrets "b-\w{5}" is forbidden: exceeded quota: q, requested: secrets=1, used: secrets=1, limited: secrets=1$/,
    after: { secrets: "1", "count/secrets": "1" },
  },
  {
    name: "node ports of services are counted",
    hard: { services: "5", "services.nodeports": "3", "services.loadbalancers": "1" },
    given: [
      post(services, service("a", "ClusterIP", 3)),
      post(services, service("b", "NodePort", 1)),
      post(services, service("c", "LoadBalancer", 1)),
    ],
    when: post(services, service("d", "LoadBalancer", 2)),
    status: 403,
    message:
      'services "d" is forbidden: exceeded quota: q, requested: services.loadbalancers=1,services.nodeports=2, used: services.loadbalancers=1,services.nodeports=2, limited: services.loadbalancers=1,services.nodeports=3',
    after: { services: "3", "services.nodeports": "2", "services.loadbalancers": "1" },
  },
  {
    name: "a service that becomes a load balancer is charged for the difference",
    hard: { services: "1", "services.loadbalancers": "1" },
    given: [post(services, service("a", "ClusterIP"))],
    when: mergePatch(`${services}/a`, { spec: { type: "LoadBalancer" } }),
    status: 200,
    after: { services: "1", "services.loadbalancers": "1" },
  },
  {
    name: "a service update beyond the quota is rejected",
    hard: { services: "1", "services.nodeports": "0" },
    given: [post(services, service("a", "ClusterIP"))],
    when: mergePatch(`${services}/a`, { spec: { type: "NodePort" } }),
    status: 403,
    message:
      'services "a" is forbidden: exceeded quota: q, requested: services.nodeports=1, used: services.nodeports=0, limited: services.nodeports=0',
  },
  {
    name: "storage is charged, also per storage class",
    hard: {
      persistentvolumeclaims: "5",
      "requests.storage": "10Gi",
      "gold.storageclass.storage.k8s.io/requests.storage": "2Gi",
      "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "5",
    },
    given: [post(claims, claim("a", "4Gi", "silver")), post(claims, claim("b", "1Gi", "gold"))],
    when: post(claims, claim("c", "1536Mi", "gold")),
    status: 403,
    message:
      'persistentvolumeclaims "c" is forbidden: exceeded quota: q, requested: gold.storageclass.storage.k8s.io/requests.storage=1536Mi, used: gold.storageclass.storage.k8s.io/requests.storage=1Gi, limited: gold.storageclass.storage.k8s.io/requests.storage=2Gi',
    after: {
      persistentvolumeclaims: "2",
      "requests.storage": "5Gi",
      "gold.storageclass.storage.k8s.io/requests.storage": "1Gi",
      "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
    },
  },
];

const wrongs: readonly (readonly [name: string, spec: object, causes: readonly object[]])[] = [
  [
    "of fractional pods",
    { hard: { pods: "1.5" } },
    [{ field: "spec.hard[pods]", message: 'Invalid value: "1500m": must be an integer' }],
  ],
  [
    "of a negative amount",
    { hard: { "requests.cpu": "-1" } },
    [
      {
        field: "spec.hard[requests.cpu]",
        message: 'Invalid value: "-1": must be greater than or equal to 0',
      },
    ],
  ],
  [
    "of an unknown resource",
    { hard: { nonsense: "1" } },
    ["must be a standard resource type or fully qualified", "must be a standard resource for quota"].map(
      (why) => ({ field: "spec.hard[nonsense]", message: `Invalid value: "nonsense": ${why}` }),
    ),
  ],
  [
    "with an unknown scope",
    { hard: { pods: "1" }, scopes: ["Large"] },
    [{ field: "spec.scopes", message: 'Invalid value: ["Large"]: unsupported scope' }],
  ],
  [
    "with a scope that does not apply to the resource",
    { hard: { services: "1" }, scopes: ["BestEffort"] },
    [
      {
        field: "spec.scopes",
        message: 'Invalid value: ["BestEffort"]: unsupported scope applied to resource',
      },
    ],
  ],
  [
    "with contradictory scopes",
    { hard: { pods: "1" }, scopes: ["Terminating", "NotTerminating"] },
    [
      {
        field: "spec.scopes",
        message: 'Invalid value: ["Terminating","NotTerminating"]: conflicting scopes',
      },
    ],
  ],
  [
    "with a selector without values",
    {
      hard: { pods: "1" },
      scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In" }] },
    },
    [
      {
        field: "spec.scopeSelector.matchExpressions.values",
        message:
          "Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
      },
    ],
  ],
];

/** Conformance cases for quota enforcement and error messages. */
export const quotaCases: readonly ConformanceCase[] = [
  ...cases.map(({ name, hard, spec = {}, used, given = [], when, status, message, after }) => ({
    name,
    async run(api: Api) {
      const zero = Object.fromEntries(Object.keys(hard).map((each) => [each, "0"]));
      await all(api, [
        post(quotas, { metadata: { name: "q" }, spec: { hard, ...spec } }),
        // Sets the usage in the status. The quota controller does not run here, because kube-apiserver runs without a controller
        // manager.
        mergePatch(`${quotas}/q/status`, { status: { hard, used: { ...zero, ...used } } }),
      ]);
      for (const request of given) {
        const { status: answered, text } = await judged(api, request);
        assert.ok(answered < 300, text);
      }
      const response = await judged(api, when);
      assert.equal(response.status, status, response.text);
      matches(response.body, { message });
      if (after) matches(await all(api, [get(`${quotas}/q`)]), { status: { used: after } });
    },
  })),
  ...wrongs.map(([name, spec, causes]) =>
    exchange({
      name: `a quota ${name} is invalid`,
      when: post(quotas, { metadata: { name: "q" }, spec }),
      status: 422,
      body: { details: { causes } },
    }),
  ),
  exchange({
    name: "the scopes of a quota are immutable",
    given: [post(quotas, { metadata: { name: "q" }, spec: { hard: { pods: "1" }, scopes: ["BestEffort"] } })],
    when: mergePatch(`${quotas}/q`, { spec: { scopes: null } }),
    status: 422,
    body: { details: { causes: [{ field: "spec.scopes", message: /field is immutable$/ }] } },
  }),
  {
    name: "concurrent creations do not exceed the quota",
    async run(api) {
      const names = Array.from({ length: 20 }, (_, at) => `c${at}`);
      await all(api, [
        post(quotas, { metadata: { name: "q" }, spec: { hard: { "count/services": "7" } } }),
        mergePatch(`${quotas}/q/status`, {
          status: { hard: { "count/services": "7" }, used: { "count/services": "0" } },
        }),
      ]);
      const responses = await Promise.all(
        names.map((name) => judged(api, post(services, service(name, "ClusterIP")))),
      );
      const refused = responses.filter(({ status }) => status === 403);
      assert.equal(refused.length, 13);
      const { items } = objectAt(await all(api, [get(services)]));
      assert.ok(Array.isArray(items) && items.length === 7);
      matches(await all(api, [get(`${quotas}/q`)]), { status: { used: { "count/services": "7" } } });
    },
  },
  {
    name: "a deletion reduces the usage",
    needsControllers: true,
    async run(api) {
      await all(api, [post(configMaps, configMap("before"))]);
      const { items } = objectAt(await all(api, [get(configMaps)]));
      const there = Array.isArray(items) ? items.length : 0;
      await all(api, [post(quotas, { metadata: { name: "q" }, spec: { hard: configMapCount(`${there}`) } })]);
      const full = await judged(api, post(configMaps, configMap("a")));
      assert.equal(full.status, 403, full.text);
      matches(await all(api, [get(`${quotas}/q`)]), { status: { used: configMapCount(`${there}`) } });
      await all(api, [{ method: "DELETE", path: `${configMaps}/before` }]);
      for (let attempt = 0; (await judged(api, post(configMaps, configMap("a")))).status !== 201; attempt++) {
        assert.ok(attempt < 1_000, "the quota is not replenished");
        await delay(10);
      }
      matches(await all(api, [get(`${quotas}/q`)]), { status: { used: configMapCount(`${there}`) } });
    },
  },
];

/**
 * Repeats the request and returns the first response that takes the quota into account. kube-apiserver reads quotas from a cache.
 */
async function judged(api: Api, request: Request): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const response = await api.call(request);
    if (!response.text.includes("status unknown for quota")) return response;
    assert.ok(attempt < 1_000, response.text);
    await delay(10);
  }
}
