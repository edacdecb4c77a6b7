import { absent, all, type ConformanceCase, exchange, matches } from "../case.ts";
import { get, mergePatch, pod, pods, post, put, remove, serviceAccounts } from "../requests.ts";

const priorityClasses = "/apis/scheduling.k8s.io/v1/priorityclasses";
const runtimeClasses = "/apis/node.k8s.io/v1/runtimeclasses";
const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const image = "example.com/app:1";
const forever = (key: string) => ({
  key: `node.kubernetes.io/${key}`,
  operator: "Exists",
  effect: "NoExecute",
  tolerationSeconds: 300,
});
const usualTolerations = [forever("not-ready"), forever("unreachable")];
const forbidden = (name: string, why: string) => ({
  reason: "Forbidden",
  message: `pods "${name}" is forbidden: ${why}`,
  details: { kind: "pods", name },
});
const mirror = { annotations: { "kubernetes.io/config.mirror": "x" } };
const strict = post(serviceAccounts, {
  metadata: { name: "strict", annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } },
  secrets: [{ name: "listed" }],
  imagePullSecrets: [{ name: "pull" }],
});
const notListed = (what: string, kind = "secret") =>
  `${what} is not allowed because service account strict does not reference that ${kind}`;
const withSecret = { valueFrom: { secretKeyRef: { name: "other", key: "k" } } };
const refusals: readonly (readonly [name: string, spec: object, metadata: object, why: string])[] = [
  [
    "with a missing service account",
    { serviceAccountName: "missing" },
    {},
    'error looking up service account {ns}/missing: serviceaccount "missing" not found',
  ],
  [
    "that is a mirror pod with a service account",
    { nodeName: "n", serviceAccountName: "default" },
    mirror,
    "a mirror pod may not reference service accounts",
  ],
  [
    "that is a mirror pod with a secret volume",
    { nodeName: "n", volumes: [{ name: "v", secret: { secretName: "s" } }] },
    mirror,
    "a mirror pod may not reference secrets",
  ],
  [
    "that is a mirror pod with a token volume",
    {
      nodeName: "n",
      volumes: [{ name: "v", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }],
    },
    mirror,
    "a mirror pod may not use ServiceAccountToken volume projections",
  ],
  [
    "that mounts a secret its account does not list",
    { serviceAccountName: "strict", volumes: [{ name: "v", secret: { secretName: "other" } }] },
    {},
    notListed('volume with secret.secretName="other"'),
  ],
  [
    "with a variable from a secret its account does not list",
    { serviceAccountName: "strict", containers: [{ name: "c", image, env: [{ name: "A", ...withSecret }] }] },
    {},
    notListed('container c with envVar A referencing secret.secretName="other"'),
  ],
  [
    "with variables from a secret its account does not list",
    {
      serviceAccountName: "strict",
      initContainers: [{ name: "i", image, envFrom: [{ secretRef: { name: "other" } }] }],
    },
    {},
    notListed('init container i with envFrom referencing secret.secretName="other"'),
  ],
  [
    "with a pull secret its account does not list",
    { serviceAccountName: "strict", imagePullSecrets: [{ name: "other" }] },
    {},
    notListed('imagePullSecrets[0].name="other"', "imagePullSecret"),
  ],
  ["of a missing class", { priorityClassName: "nope" }, {}, "no PriorityClass with name nope was found"],
  [
    "with a priority other than its class's",
    { priority: 5 },
    {},
    "the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name",
  ],
  [
    "with a preemption policy other than its class's",
    { priorityClassName: "system-node-critical", preemptionPolicy: "Never" },
    {},
    "the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name",
  ],
  [
    "of a missing runtime class",
    { runtimeClassName: "nope" },
    {},
    'pod rejected: RuntimeClass "nope" not found',
  ],
  [
    "with overhead, but without a runtime class",
    { overhead: { cpu: "1" } },
    {},
    "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
  ],
  [
    "with an overhead other than its runtime class's",
    { runtimeClassName: "kata-{ns}", overhead: { cpu: "1" } },
    {},
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
  ],
  [
    "with a node selector that conflicts with its runtime class",
    { runtimeClassName: "kata-{ns}", nodeSelector: { k: "other" } },
    {},
    "conflict: runtimeClass.scheduling.nodeSelector[k] = v; pod.spec.nodeSelector[k] = other",
  ],
];
const kata = post(runtimeClasses, {
  metadata: { name: "kata-{ns}" },
  handler: "kata",
  overhead: { podFixed: { cpu: "100m", memory: "10Mi" } },
  scheduling: { nodeSelector: { k: "v" }, tolerations: [{ key: "kata", operator: "Exists" }] },
});

/** Conformance cases for the effects of default admission plugins on pods. */
export const podAdmissionCases: readonly ConformanceCase[] = [
  exchange({
    name: "a pod gets the default service account and its token in every container",
    when: post(
      pods,
      pod("a", {}, { initContainers: [{ name: "first", image }], containers: [{ name: "main", image }] }),
    ),
    status: 201,
    body: {
      spec: {
        serviceAccountName: "default",
        serviceAccount: "default",
        initContainers: [
          { volumeMounts: [{ name: /^kube-api-access-\w{5}$/, readOnly: true, mountPath: tokenPath }] },
        ],
        containers: [
          { volumeMounts: [{ name: /^kube-api-access-\w{5}$/, readOnly: true, mountPath: tokenPath }] },
        ],
        volumes: [
          {
            name: /^kube-api-access-\w{5}$/,
            projected: {
              defaultMode: 420,
              sources: [
                { serviceAccountToken: { expirationSeconds: 3_607, path: "token" } },
                { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
                {
                  downwardAPI: {
                    items: [
                      { path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  }),
  exchange({
    name: "a pod gets the pull secrets of its account, and no token if the account disables it",
    given: [
      post(serviceAccounts, {
        metadata: { name: "quiet" },
        automountServiceAccountToken: false,
        imagePullSecrets: [{ name: "pull" }],
      }),
    ],
    when: post(pods, pod("a", {}, { serviceAccountName: "quiet" })),
    status: 201,
    body: { spec: { imagePullSecrets: [{ name: "pull" }], volumes: absent } },
  }),
  exchange({
    name: "an existing volume with the token volume's name prefix is reused",
    when: post(pods, pod("a", {}, { volumes: [{ name: "kube-api-access-mine", emptyDir: {} }] })),
    status: 201,
    body: {
      spec: {
        containers: [{ volumeMounts: [{ name: "kube-api-access-mine", mountPath: tokenPath }] }],
        volumes: [{ name: "kube-api-access-mine", emptyDir: {} }],
      },
    },
  }),
  exchange({
    name: "a mirror pod has a node but no service account",
    when: post(pods, pod("a", mirror)),
    status: 422,
    body: {
      details: {
        causes: [
          {
            field: "metadata.annotations[kubernetes.io/config.mirror]",
            message: 'Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
          },
        ],
      },
    },
  }),
  ...refusals.map(([what, spec, metadata, why]) =>
    exchange({
      name: `a pod ${what} is rejected`,
      given: [
        ...("serviceAccountName" in spec && spec.serviceAccountName === "strict" ? [strict] : []),
        ...("runtimeClassName" in spec && spec.runtimeClassName === "kata-{ns}" ? [kata] : []),
      ],
      when: post(pods, pod("a", metadata, spec)),
      status: 403,
      body: forbidden("a", why),
    }),
  ),
  exchange({
    name: "an error for a pod with a generated name contains the prefix",
    when: post(pods, {
      ...pod("", {}, { priorityClassName: "nope" }),
      metadata: { generateName: "prefix-" },
    }),
    status: 403,
    body: forbidden("prefix-", "no PriorityClass with name nope was found"),
  }),
  exchange({
    name: "a pod without a class has priority 0 and tolerates node failures for five minutes",
    when: post(pods, pod("a")),
    status: 201,
    body: {
      spec: {
        priority: 0,
        preemptionPolicy: "PreemptLowerPriority",
        priorityClassName: absent,
        tolerations: usualTolerations,
      },
    },
  }),
  exchange({
    name: "a pod has the priority of its class",
    when: post(pods, pod("a", {}, { priorityClassName: "system-node-critical", priority: 2_000_001_000 })),
    status: 201,
    body: { spec: { priority: 2_000_001_000, preemptionPolicy: "PreemptLowerPriority" } },
  }),
  exchange({
    name: "an update without the priority keeps it",
    given: [post(pods, pod("a", {}, { priorityClassName: "system-cluster-critical" }))],
    when: mergePatch(`${pods}/a`, { spec: { priority: null, preemptionPolicy: null } }),
    status: 200,
    body: { spec: { priority: 2_000_000_000, preemptionPolicy: "PreemptLowerPriority" } },
  }),
  exchange({
    name: "explicit tolerations replace the default ones",
    when: post(
      pods,
      pod(
        "a",
        {},
        {
          tolerations: [
            {
              key: "node.kubernetes.io/not-ready",
              operator: "Exists",
              tolerationSeconds: 5,
              effect: "NoExecute",
            },
          ],
        },
      ),
    ),
    status: 201,
    body: {
      spec: { tolerations: [{ ...forever("not-ready"), tolerationSeconds: 5 }, forever("unreachable")] },
    },
  }),
  exchange({
    name: "a pod that tolerates everything gets no tolerations",
    when: post(pods, pod("a", {}, { tolerations: [{ operator: "Exists" }] })),
    status: 201,
    body: { spec: { tolerations: [{ operator: "Exists", key: absent }] } },
  }),
  exchange({
    name: "a pod gets the overhead, the node selector and the tolerations of its runtime class",
    given: [kata],
    when: post(pods, pod("a", {}, { runtimeClassName: "kata-{ns}", nodeSelector: { own: "1" } })),
    status: 201,
    body: {
      spec: {
        overhead: { cpu: "100m", memory: "10Mi" },
        nodeSelector: { own: "1", k: "v" },
        tolerations: [...usualTolerations, { key: "kata", operator: "Exists" }],
      },
    },
  }),
  {
    name: "at most one priority class is the default, which applies to pods without a class",
    async run(api) {
      const made = {
        metadata: { name: "usual-{ns}" },
        value: 7,
        preemptionPolicy: "Never",
        globalDefault: true,
      };
      await all(api, [post(priorityClasses, made)]);
      try {
        const second = { metadata: { name: "second-{ns}" }, value: 8, globalDefault: true };
        const why = `is forbidden: PriorityClass usual-${api.namespace} is already marked as default. Only one default can exist`;
        const created = await api.call(post(priorityClasses, second));
        const named = `priorityclasses.scheduling.k8s.io "second-${api.namespace}" ${why}`;
        matches(created, { status: 403, body: { message: named } });
        await all(api, [post(priorityClasses, { ...second, globalDefault: false })]);
        const updated = await api.call(put(`${priorityClasses}/second-{ns}`, second));
        matches(updated, { status: 403, body: { message: named } });
        await all(api, [mergePatch(`${priorityClasses}/usual-{ns}`, { description: "still the default" })]);
        const given = await api.call(post(pods, pod("a")));
        const spec = { priority: 7, priorityClassName: `usual-${api.namespace}`, preemptionPolicy: "Never" };
        matches(given, { status: 201, body: { spec } });
      } finally {
        await api.call(remove(`${priorityClasses}/usual-{ns}`));
      }
    },
  },
  {
    name: "system priority classes exist and cannot be deleted",
    async run(api) {
      const classes = { "system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000 };
      for (const [name, value] of Object.entries(classes)) {
        const found = await api.call(get(`${priorityClasses}/${name}`));
        matches(found.body, { value, preemptionPolicy: "PreemptLowerPriority", metadata: { generation: 1 } });
        const why = "is forbidden: this is a system priority class and cannot be deleted";
        const message = `priorityclasses.scheduling.k8s.io "${name}" ${why}`;
        matches(await api.call(remove(`${priorityClasses}/${name}`)), { status: 403, body: { message } });
      }
      const wrong = await api.call(
        post(priorityClasses, { metadata: { name: "system-node-critical" }, value: 1 }),
      );
      const reserved =
        "Forbidden: priority class names with 'system-' prefix are reserved for system use only.";
      const message = `${reserved} error: value of system-node-critical PriorityClass must be 2000001000`;
      matches(wrong, { status: 422, body: { details: { causes: [{ field: "metadata.name", message }] } } });
    },
  },
];
