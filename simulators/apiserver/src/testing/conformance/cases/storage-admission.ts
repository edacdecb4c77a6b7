import { absent, all, type ConformanceCase, exchange, matches } from "../case.ts";
import { mergePatch, post, remove } from "../requests.ts";

const claims = "/api/v1/namespaces/{ns}/persistentvolumeclaims";
const volumes = "/api/v1/persistentvolumes";
const storageClasses = "/apis/storage.k8s.io/v1/storageclasses";
const ingressClasses = "/apis/networking.k8s.io/v1/ingressclasses";
const ingresses = "/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses";
const claim = (name: string, spec: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});
const size = (storage: string) => ({ spec: { resources: { requests: { storage } } } });
const ingress = (name: string, spec: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } }, ...spec },
});
const isDefault = (group: string) => ({ [`${group}.kubernetes.io/is-default-class`]: "true" });
const storageClass = (name: string, more: object = {}, metadata: object = {}) =>
  post(storageClasses, { metadata: { name, ...metadata }, provisioner: "example.com/p", ...more });
const bound = (name: string) => mergePatch(`${claims}/${name}/status`, { status: { phase: "Bound" } });
const refused = (why: string) => ({ message: `persistentvolumeclaims "a" is forbidden: ${why}` });
const notResizable =
  "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";

/** Conformance cases for the effects of default admission plugins on claims, volumes, ingresses and nodes. */
export const storageAdmissionCases: readonly ConformanceCase[] = [
  exchange({
    name: "a finalizer protects a new claim",
    when: post(claims, claim("a", {}, { finalizers: ["example.com/own"] })),
    status: 201,
    body: { metadata: { finalizers: ["example.com/own", "kubernetes.io/pvc-protection"] } },
  }),
  exchange({
    name: "a finalizer protects a new volume",
    when: post(volumes, {
      metadata: { name: "volume-{ns}" },
      spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/a" } },
    }),
    status: 201,
    body: { metadata: { finalizers: ["kubernetes.io/pv-protection"] } },
  }),
  {
    name: "a claim without a class gets the default one, but not if its class is an empty string",
    async run(api) {
      const metadata = { annotations: isDefault("storageclass") };
      await all(api, [storageClass("plain-{ns}"), storageClass("usual-{ns}", {}, metadata)]);
      try {
        const created = await api.call(post(claims, claim("a")));
        matches(created.body, { spec: { storageClassName: `usual-${api.namespace}` } });
        const without = await api.call(post(claims, claim("b", { storageClassName: "" })));
        matches(without.body, { spec: { storageClassName: "" } });
        const annotations = { "volume.beta.kubernetes.io/storage-class": "old" };
        const old = await api.call(post(claims, claim("c", {}, { annotations })));
        matches(old.body, { spec: { storageClassName: absent } });
      } finally {
        await api.call(remove(`${storageClasses}/usual-{ns}`));
      }
    },
  },
  {
    name: "an ingress without a class gets the default one",
    async run(api) {
      const controller = { spec: { controller: "example.com/c" } };
      const metadata = { name: "usual-{ns}", annotations: isDefault("ingressclass") };
      await all(api, [post(ingressClasses, { metadata, ...controller })]);
      try {
        const created = await api.call(post(ingresses, ingress("a")));
        matches(created.body, { spec: { ingressClassName: `usual-${api.namespace}` } });
        const own = await api.call(post(ingresses, ingress("b", { ingressClassName: "own" })));
        matches(own.body, { spec: { ingressClassName: "own" } });
        const annotations = { "kubernetes.io/ingress.class": "old" };
        const old = await api.call(post(ingresses, ingress("c", {}, { annotations })));
        matches(old.body, { spec: { ingressClassName: absent } });
      } finally {
        await api.call(remove(`${ingressClasses}/usual-{ns}`));
      }
    },
  },
  exchange({
    name: "a bound claim can be expanded if its class allows it",
    given: [
      storageClass("elastic-{ns}", { allowVolumeExpansion: true }),
      post(claims, claim("a", { storageClassName: "elastic-{ns}" })),
      bound("a"),
    ],
    when: mergePatch(`${claims}/a`, size("2Gi")),
    status: 200,
    body: size("2Gi"),
  }),
  exchange({
    name: "a bound claim cannot be expanded if its class does not allow it",
    given: [
      storageClass("rigid-{ns}"),
      post(claims, claim("a", { storageClassName: "rigid-{ns}" })),
      bound("a"),
    ],
    when: mergePatch(`${claims}/a`, size("2Gi")),
    status: 403,
    body: refused(notResizable),
  }),
  exchange({
    name: "a new node is tainted until it is found ready",
    when: post("/api/v1/nodes", {
      metadata: { name: "node-{ns}" },
      spec: { taints: [{ key: "own", effect: "NoExecute" }] },
    }),
    status: 201,
    body: {
      spec: {
        taints: [
          { key: "own", effect: "NoExecute" },
          { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" },
        ],
      },
    },
  }),
];
