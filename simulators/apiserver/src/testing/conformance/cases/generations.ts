import assert from "node:assert/strict";
import { valueAt } from "@keelson/base";
import type { Api } from "../api.ts";
import { all, type ConformanceCase } from "../case.ts";
import { mergePatch, post } from "../requests.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Expected values of `metadata.generation`: after the creation, after a change of a field, of a label and of an annotation, and
 * after the start of the deletion.
 */
type Generations = readonly (number | undefined)[];

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly clusterScoped?: boolean;
  readonly name?: string;
  readonly object: Fields;
  readonly change: Fields;
  readonly generations: Generations;
}

const counted: Generations = [1, 2, 2, 2, 3];
const uncounted: Generations = [];
const selector = { matchLabels: { a: "b" } };
const podSpec = { containers: [{ name: "c", image: "i" }] };
const template = { metadata: { labels: { a: "b" } }, spec: podSpec };
const jobSpec = { template: { spec: { ...podSpec, restartPolicy: "Never" } } };
const webhooks = [
  {
    name: "a.b.c",
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    clientConfig: { url: "https://webhook.invalid" },
    rules: [],
  },
];

const kinds: readonly Kind[] = [
  {
    apiVersion: "v1",
    kind: "Service",
    plural: "services",
    object: { spec: { ports: [{ port: 80 }] } },
    change: { spec: { ports: [{ port: 81 }] } },
    generations: uncounted,
  },
  {
    apiVersion: "v1",
    kind: "ReplicationController",
    plural: "replicationcontrollers",
    object: { spec: { selector: { a: "b" }, template, replicas: 0 } },
    change: { spec: { minReadySeconds: 3 } },
    generations: counted,
  },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    plural: "deployments",
    object: { spec: { selector, template, replicas: 0 } },
    change: { spec: { minReadySeconds: 2 } },
    generations: [1, 2, 2, 3, 4],
  },
  {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    plural: "statefulsets",
    object: { spec: { selector, template, serviceName: "s", replicas: 0 } },
    change: { spec: { minReadySeconds: 2 } },
    generations: counted,
  },
  {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    plural: "controllerrevisions",
    object: { revision: 1, data: {} },
    change: { revision: 2 },
    generations: uncounted,
  },
  {
    apiVersion: "batch/v1",
    kind: "CronJob",
    plural: "cronjobs",
    object: { spec: { schedule: "0 0 1 1 *", suspend: true, jobTemplate: { spec: jobSpec } } },
    change: { spec: { schedule: "0 0 2 1 *" } },
    generations: counted,
  },
  {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    plural: "horizontalpodautoscalers",
    object: {
      spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "none" } },
    },
    change: { spec: { maxReplicas: 3 } },
    generations: uncounted,
  },
  {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    plural: "poddisruptionbudgets",
    object: { spec: { minAvailable: 1, selector } },
    change: { spec: { minAvailable: 2 } },
    generations: counted,
  },
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    plural: "networkpolicies",
    object: { spec: { podSelector: {} } },
    change: { spec: { podSelector: selector } },
    generations: counted,
  },
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "IngressClass",
    plural: "ingressclasses",
    clusterScoped: true,
    object: { spec: { controller: "example.com/controller" } },
    change: { spec: { parameters: { kind: "x", name: "y" } } },
    generations: counted,
  },
  {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    plural: "endpointslices",
    object: { addressType: "IPv4", endpoints: [] },
    change: { endpoints: [{ addresses: ["192.0.2.4"] }] },
    generations: [1, 2, 3, 3, 4],
  },
  {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    plural: "leases",
    object: { spec: { holderIdentity: "x" } },
    change: { spec: { holderIdentity: "y" } },
    generations: uncounted,
  },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    plural: "storageclasses",
    clusterScoped: true,
    object: { provisioner: "example.com/none" },
    change: { allowVolumeExpansion: true },
    generations: uncounted,
  },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "CSIDriver",
    plural: "csidrivers",
    clusterScoped: true,
    object: { spec: {} },
    change: { spec: { requiresRepublish: true } },
    generations: [undefined, 1, 1, 1, 2],
  },
  {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    plural: "priorityclasses",
    clusterScoped: true,
    object: { value: 5 },
    change: { description: "changed" },
    generations: [1, 1, 1, 1, 2],
  },
  {
    apiVersion: "node.k8s.io/v1",
    kind: "RuntimeClass",
    plural: "runtimeclasses",
    clusterScoped: true,
    object: { handler: "h" },
    change: { scheduling: { nodeSelector: { a: "b" } } },
    generations: uncounted,
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    plural: "roles",
    object: { rules: [] },
    change: { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
    generations: uncounted,
  },
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    plural: "validatingwebhookconfigurations",
    clusterScoped: true,
    object: { webhooks: [] },
    change: { webhooks },
    generations: counted,
  },
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    plural: "validatingadmissionpolicybindings",
    clusterScoped: true,
    object: { spec: { policyName: "none.example.com", validationActions: ["Deny"] } },
    change: { spec: { validationActions: ["Warn"] } },
    generations: counted,
  },
  {
    apiVersion: "flowcontrol.apiserver.k8s.io/v1",
    kind: "FlowSchema",
    plural: "flowschemas",
    clusterScoped: true,
    object: { spec: { priorityLevelConfiguration: { name: "exempt" } } },
    change: { spec: { matchingPrecedence: 7_000 } },
    generations: counted,
  },
  {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    plural: "customresourcedefinitions",
    clusterScoped: true,
    name: "generations.example.com",
    object: {
      spec: {
        group: "example.com",
        scope: "Cluster",
        names: { plural: "generations", kind: "Generation" },
        versions: [
          { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
        ],
      },
    },
    change: { spec: { names: { shortNames: ["gens"] } } },
    generations: [1, 2, 2, 2, 2],
  },
];

/** Conformance cases for `metadata.generation` by kind. Each case lists the changes that increment the generation. */
export const generationCases: readonly ConformanceCase[] = kinds.map((kind) => ({
  name: `changes that increment the generation of a ${kind.kind}`,
  run: (api) => check(api, kind),
}));

async function check(api: Api, { apiVersion, kind, plural, ...rest }: Kind): Promise<void> {
  const name = rest.name ?? `${api.namespace}-generations`;
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const collection = `${root}${rest.clusterScoped ? "" : `/namespaces/${api.namespace}`}/${plural}`;
  const path = `${collection}/${name}`;
  const finalizers = ["example.com/held"];
  const found: unknown[] = [];
  for (const request of [
    post(collection, { apiVersion, kind, metadata: { name, finalizers }, ...rest.object }),
    mergePatch(path, rest.change),
    mergePatch(path, { metadata: { labels: { changed: "true" } } }),
    mergePatch(path, { metadata: { annotations: { changed: "true" } } }),
    { method: "DELETE", path },
  ]) {
    const response = await all(api, [request]);
    found.push(valueAt(response, "metadata", "generation"));
  }
  await all(api, [mergePatch(path, { metadata: { finalizers: null } })]);
  assert.deepEqual(
    found,
    Array.from({ length: 5 }, (_, index) => rest.generations[index]),
  );
}
