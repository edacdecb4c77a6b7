import assert from "node:assert/strict";
import type { Api } from "../api.ts";
import { all, type ConformanceCase, exchange, matches } from "../case.ts";
import { deployments, mergePatch, pod, pods, post, strategicPatch } from "../requests.ts";

const image = "example.com/app:1";
const own = "/api/v1/namespaces/{ns}";
const prefix = "pod-security.kubernetes.io/";
const labelled = (labels: Readonly<Record<string, string | null>>) =>
  mergePatch(own, {
    metadata: {
      labels: Object.fromEntries(Object.entries(labels).map(([mode, value]) => [prefix + mode, value])),
    },
  });
const container = (securityContext: object, name = "c", more: object = {}) => ({
  name,
  image,
  securityContext,
  ...more,
});
/** Security context that complies with the level `restricted`. */
const strict = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};
const plainFaults =
  'allowPrivilegeEscalation != false (container "main" must set securityContext.allowPrivilegeEscalation=false), ' +
  'unrestricted capabilities (container "main" must set securityContext.capabilities.drop=["ALL"]), ' +
  'runAsNonRoot != true (pod or container "main" must set securityContext.runAsNonRoot=true), ' +
  'seccompProfile (pod or container "main" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")';

const baseline: readonly (readonly [name: string, spec: object, detail: string, metadata?: object])[] = [
  [
    "on the host's network",
    { hostNetwork: true, hostPID: true },
    "host namespaces (hostNetwork=true, hostPID=true)",
  ],
  [
    "with host paths",
    {
      volumes: [
        { name: "a", hostPath: { path: "/a" } },
        { name: "b", hostPath: { path: "/b" } },
      ],
    },
    'hostPath volumes (volumes "a", "b")',
  ],
  [
    "with host ports",
    {
      containers: [
        container({}, "c", { ports: [{ containerPort: 80, hostPort: 8080 }] }),
        container({}, "d", { ports: [{ containerPort: 81, hostPort: 443 }] }),
      ],
    },
    'hostPort (containers "c", "d" use hostPorts 443, 8080)',
  ],
  [
    "with a privileged container",
    { containers: [container({ privileged: true })] },
    'privileged (container "c" must not set securityContext.privileged=true)',
  ],
  [
    "with more capabilities",
    {
      initContainers: [container({ capabilities: { add: ["SYS_ADMIN", "CHOWN"] } }, "i")],
      containers: [container({ capabilities: { add: ["NET_ADMIN"] } })],
    },
    'non-default capabilities (containers "i", "c" must not include "NET_ADMIN", "SYS_ADMIN" in securityContext.capabilities.add)',
  ],
  [
    "with a different SELinux type",
    {
      securityContext: { seLinuxOptions: { type: "spc_t", user: "u" } },
      containers: [container({ seLinuxOptions: { role: "r" } })],
    },
    'seLinuxOptions (pod and container "c" set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set; role may not be set)',
  ],
  [
    "without seccomp",
    { securityContext: { seccompProfile: { type: "Unconfined" } } },
    'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    "without AppArmor",
    { containers: [container({ appArmorProfile: { type: "Unconfined" } })] },
    'forbidden AppArmor profile (container "c" must not set AppArmor profile type to "Unconfined")',
  ],
  [
    "with sysctls of the node",
    {
      securityContext: {
        sysctls: [
          { name: "kernel.msgmax", value: "1" },
          { name: "net.ipv4.tcp_rmem", value: "1" },
        ],
      },
    },
    "forbidden sysctls (kernel.msgmax)",
  ],
  [
    "that probes a different host",
    {
      containers: [
        container({}, "c", { livenessProbe: { httpGet: { host: "example.com", port: 80, path: "/" } } }),
      ],
    },
    'probe or lifecycle host (container "c" uses probe or lifecycle host "example.com")',
  ],
  ["with all of /proc", { containers: [container({ procMount: "Unmasked" })] }, ""],
];

const restricted: readonly (readonly [name: string, spec: object, detail: string])[] = [
  ["without a security context", {}, plainFaults],
  [
    "as root",
    {
      securityContext: { runAsUser: 0 },
      containers: [container(strict), container({ ...strict, runAsUser: 0 }, "d")],
    },
    'runAsUser=0 (pod and container "d" must not set runAsUser=0)',
  ],
  [
    "that may run as root",
    { securityContext: { runAsNonRoot: true }, containers: [container({ ...strict, runAsNonRoot: false })] },
    'runAsNonRoot != true (container "c" must not set securityContext.runAsNonRoot=false)',
  ],
  [
    "with other capabilities",
    {
      containers: [
        container({ ...strict, capabilities: { drop: ["ALL"], add: ["CHOWN", "NET_BIND_SERVICE"] } }),
        container({ ...strict, capabilities: { drop: ["KILL"] } }, "d"),
      ],
    },
    'unrestricted capabilities (container "d" must set securityContext.capabilities.drop=["ALL"]; container "c" must not include "CHOWN" in securityContext.capabilities.add)',
  ],
  [
    "with other volumes",
    {
      containers: [container(strict)],
      volumes: [
        { name: "a", hostPath: { path: "/a" } },
        { name: "b", nfs: { server: "s", path: "/" } },
        { name: "c", emptyDir: {} },
      ],
    },
    'restricted volume types (volumes "a", "b" use restricted volume types "hostPath", "nfs")',
  ],
  [
    "without seccomp",
    { containers: [container({ ...strict, seccompProfile: { type: "Unconfined" } })] },
    'seccompProfile (container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    "with violations of both levels",
    { hostNetwork: true, containers: [container({ ...strict, allowPrivilegeEscalation: true })] },
    'host namespaces (hostNetwork=true), allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
  ],
];

const refusal = (level: string, detail: string, name = "a") => ({
  reason: "Forbidden",
  message: `pods "${name}" is forbidden: violates PodSecurity "${level}": ${detail}`,
});

/** Conformance cases for the pod security levels that namespaces enforce. */
export const podSecurityCases: readonly ConformanceCase[] = [
  ...baseline
    .filter(([, , detail]) => detail !== "")
    .map(([name, spec, detail]) =>
      exchange({
        name: `the level baseline rejects a pod ${name}`,
        given: [labelled({ enforce: "baseline" })],
        when: post(pods, pod("a", {}, spec)),
        status: 403,
        body: refusal("baseline:latest", detail),
      }),
    ),
  exchange({
    name: "the level baseline rejects AppArmor profiles in annotations",
    given: [labelled({ enforce: "baseline" })],
    when: post(
      `${pods}?dryRun=All`,
      pod("a", { annotations: { "container.apparmor.security.beta.kubernetes.io/main": "unconfined" } }),
    ),
    status: 403,
    body: { message: /forbidden AppArmor profiles? \(/ },
  }),
  ...restricted.map(([name, spec, detail]) =>
    exchange({
      name: `the level restricted rejects a pod ${name}`,
      given: [labelled({ enforce: "restricted" })],
      when: post(pods, pod("a", {}, spec)),
      status: 403,
      body: refusal("restricted:latest", detail),
    }),
  ),
  exchange({
    name: "the level restricted accepts a pod with all required settings",
    given: [labelled({ enforce: "restricted" })],
    when: post(
      pods,
      pod(
        "a",
        {},
        {
          securityContext: {
            runAsNonRoot: true,
            seccompProfile: { type: "Localhost", localhostProfile: "p" },
          },
          containers: [container({ allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } })],
        },
      ),
    ),
    status: 201,
  }),
  exchange({
    name: "a pod in a user namespace may run as root",
    given: [labelled({ enforce: "restricted" })],
    when: post(
      pods,
      pod(
        "a",
        {},
        { hostUsers: false, containers: [container({ ...strict, runAsNonRoot: false, runAsUser: 0 })] },
      ),
    ),
    status: 201,
  }),
  exchange({
    name: "a level of an older version requires less",
    given: [labelled({ enforce: "restricted", "enforce-version": "v1.21" })],
    when: post(pods, pod("a")),
    status: 403,
    body: refusal(
      "restricted:v1.21",
      'allowPrivilegeEscalation != false (container "main" must set securityContext.allowPrivilegeEscalation=false), ' +
        'runAsNonRoot != true (pod or container "main" must set securityContext.runAsNonRoot=true), ' +
        'seccompProfile (pod or container "main" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ),
  }),
  exchange({
    name: "the error for a rejected pod contains its generated name",
    given: [labelled({ enforce: "baseline" })],
    when: post(pods, { ...pod("a", {}, { hostPID: true }), metadata: { generateName: "a-" } }),
    status: 403,
    body: {
      message:
        /^pods "a-\w{5}" is forbidden: violates PodSecurity "baseline:latest": host namespaces \(hostPID=true\)$/,
    },
  }),
  exchange({
    name: "a warn level accepts pods with a warning",
    given: [labelled({ warn: "restricted" })],
    when: post(pods, pod("a")),
    status: 201,
    headers: {
      warning: `299 - ${JSON.stringify(`would violate PodSecurity "restricted:latest": ${plainFaults}`)}`,
    },
  }),
  exchange({
    name: "an audit level causes no warning",
    given: [labelled({ audit: "restricted" })],
    when: post(pods, pod("a")),
    status: 201,
  }),
  exchange({
    name: "pod templates cause warnings if a level is enforced",
    given: [labelled({ enforce: "baseline" })],
    when: post(deployments, {
      metadata: { name: "d" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: {
          metadata: { labels: { a: "b" } },
          spec: { hostPID: true, containers: [{ name: "c", image }] },
        },
      },
    }),
    status: 201,
    headers: {
      warning: `299 - ${JSON.stringify('would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)')}`,
    },
  }),
  exchange({
    name: "pod templates in cron jobs cause warnings",
    given: [labelled({ warn: "baseline", "warn-version": "v1.30" })],
    when: post("/apis/batch/v1/namespaces/{ns}/cronjobs", {
      metadata: { name: "c" },
      spec: {
        schedule: "* * * * *",
        jobTemplate: {
          spec: {
            template: { spec: { restartPolicy: "Never", hostIPC: true, containers: [{ name: "c", image }] } },
          },
        },
      },
    }),
    status: 201,
    headers: {
      warning: `299 - ${JSON.stringify('would violate PodSecurity "baseline:v1.30": host namespaces (hostIPC=true)')}`,
    },
  }),
  exchange({
    name: "an update without image changes is not checked",
    given: [post(pods, pod("a", {}, { hostPID: true })), labelled({ enforce: "restricted" })],
    when: mergePatch(`${pods}/a`, { metadata: { labels: { a: "b" } } }),
    status: 200,
  }),
  exchange({
    name: "an update with image changes is checked",
    given: [post(pods, pod("a", {}, { hostPID: true })), labelled({ enforce: "baseline" })],
    when: strategicPatch(`${pods}/a`, {
      spec: { containers: [{ name: "main", image: "example.com/app:2" }] },
    }),
    status: 403,
    body: refusal("baseline:latest", "host namespaces (hostPID=true)"),
  }),
  exchange({
    name: "an ephemeral container is checked",
    given: [post(pods, pod("a")), labelled({ enforce: "baseline" })],
    when: strategicPatch(`${pods}/a/ephemeralcontainers`, {
      spec: { ephemeralContainers: [container({ privileged: true }, "debug")] },
    }),
    status: 403,
    body: refusal(
      "baseline:latest",
      'privileged (container "debug" must not set securityContext.privileged=true)',
    ),
  }),
  exchange({
    name: "an unknown level of a namespace is rejected",
    when: labelled({ enforce: "strict", "warn-version": "1.2" }),
    status: 422,
    body: {
      details: {
        causes: [
          {
            field: `metadata.labels[${prefix}enforce]`,
            message: 'Invalid value: "strict": must be one of privileged, baseline, restricted',
          },
          {
            field: `metadata.labels[${prefix}warn-version]`,
            message: 'Invalid value: "1.2": must be "latest" or "v1.x"',
          },
        ],
      },
    },
  }),
  {
    name: "raising the enforced level of a namespace warns about existing pods",
    async run(api: Api) {
      await all(api, [
        post(pods, pod("b", {}, { hostPID: true })),
        post(pods, pod("a", {}, { hostPID: true })),
        post(pods, pod("c", {}, { volumes: [{ name: "v", hostPath: { path: "/" } }] })),
        post(pods, pod("d")),
      ]);
      const { status, headers } = await api.call(labelled({ enforce: "baseline" }));
      assert.equal(status, 200);
      matches(
        [headers.warning].flat().join(", ").replaceAll(api.namespace, "{ns}"),
        [
          'existing pods in namespace "{ns}" violate the new PodSecurity enforce level "baseline:latest"',
          "a (and 1 other pod): host namespaces",
          "c: hostPath volumes",
        ]
          .map((text) => `299 - ${JSON.stringify(text)}`)
          .join(", "),
      );
      const relaxed = await api.call(labelled({ enforce: "privileged" }));
      assert.equal(relaxed.headers.warning, undefined);
    },
  },
];
