import { failures, type KubeObject, sameJson, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { builtinKinds } from "@keelson/kinds";
import { detailsOf, isStricter, type LevelVersion, podView, reasonsOf, violationsOf } from "@keelson/kube";
import { forbidden } from "../../resources/forbidden.ts";
import { formatLevel, labelPrefix, policyOf, sameLevel } from "../pod-security/policy.ts";
import type { AdmissionPlugin, ObjectRequest, PluginContext } from "./plugin.ts";

const namespaces = "/namespaces";
const pods = "/pods";
/** Path of the pod template by kind. */
const templates: ReadonlyMap<string, readonly string[]> = new Map(
  builtinKinds.flatMap(({ group, plural, podTemplate }) =>
    podTemplate ? [[`${group}/${plural}`, podTemplate] as const] : [],
  ),
);
/** Maximum number of existing pods to check when a namespace's enforced level becomes stricter. */
const maxPods = 3_000;

/**
 * Rejects pods that violate the level enforced by their namespace's labels. Returns warnings for pods and pod templates that
 * violate the warn level.
 * @see kubernetes/pod-security-admission admission/admission.go
 */
export const podSecurity: AdmissionPlugin = {
  name: "PodSecurity",
  targets: [
    `UPDATE ${pods}/ephemeralcontainers`,
    ...[namespaces, pods, ...templates.keys()].flatMap((bucket) => [`CREATE ${bucket}`, `UPDATE ${bucket}`]),
  ],
  validate(request, context) {
    const { object } = request;
    if (!object) return;
    const { bucket } = request.resource;
    const given = { ...request, object };
    if (bucket === namespaces) judgeNamespace(given, context);
    else if (bucket === pods) judgePod(given, context);
    else judgeTemplate(given, context);
  },
};

function judgePod(request: ObjectRequest, context: PluginContext): void {
  const { object: pod, oldObject } = request;
  if (oldObject && sameJson(imagesOf(pod), imagesOf(oldObject))) return;
  judge(request, context, { metadata: pod.metadata, spec: pod.spec, isPod: true });
}

/**
 * Returns the names and images of a pod's containers. Images are the only mutable fields that affect the pod's security level.
 */
function imagesOf({ spec }: KubeObject): unknown {
  return ["initContainers", "containers", "ephemeralContainers"].map((list) =>
    listAt(spec, list).map((container) => [
      scalarStringAt(container, "name"),
      scalarStringAt(container, "image"),
    ]),
  );
}

function judgeTemplate(request: ObjectRequest, context: PluginContext): void {
  const template = valueAt(request.object, ...(templates.get(request.resource.bucket) ?? []));
  if (template === undefined) return;
  judge(request, context, {
    metadata: valueAt(template, "metadata"),
    spec: valueAt(template, "spec"),
    isPod: false,
  });
}

interface Subject {
  readonly metadata: unknown;
  readonly spec: unknown;
  /** True for a pod, which can be rejected. False for a controller's pod template, which only causes warnings. */
  readonly isPod: boolean;
}

function judge(
  request: ObjectRequest,
  { store, logger }: PluginContext,
  { metadata, spec, isPod }: Subject,
): void {
  const namespace = store.get(namespaces, request.namespace ?? "")?.object;
  const { policy } = policyOf(namespace?.metadata.labels ?? {});
  if (Object.values(policy).every(({ level }) => level === "privileged")) return;
  const pod = podView(metadata, spec);
  const details = (level: LevelVersion) => detailsOf(violationsOf(level, pod));
  const audited = details(policy.audit);
  if (audited) {
    const text = `would violate PodSecurity "${formatLevel(policy.audit)}": ${audited}`;
    const annotations = { [`${labelPrefix}audit-violations`]: text };
    logger.info({ plugin: "PodSecurity", annotations }, "admission plugin returned audit annotations");
  }
  const refused = isPod ? details(policy.enforce) : "";
  if (refused) {
    throw forbidden(request, `violates PodSecurity "${formatLevel(policy.enforce)}": ${refused}`);
  }
  const warned = details(policy.warn);
  if (warned) request.warn(`would violate PodSecurity "${formatLevel(policy.warn)}": ${warned}`);
}

function judgeNamespace(request: ObjectRequest, context: PluginContext): void {
  const { object, oldObject, resource } = request;
  const { policy, causes } = policyOf(object.metadata.labels ?? {});
  const before = policyOf(oldObject?.metadata.labels ?? {});
  if (causes.length > 0 && !(oldObject && sameJson(causes, before.causes))) {
    throw failures.invalid(resource.type, request.name, causes);
  }
  if (!oldObject) return;
  const [now, then] = [policy.enforce, before.policy.enforce];
  const isRelaxed = now.minor === then.minor && !isStricter(now.level, then.level);
  if (sameLevel(now, then) || now.level === "privileged" || isRelaxed) return;
  for (const warning of warningsOf(object.metadata.name, now, context)) request.warn(warning);
}

/** Returns warnings about existing pods that violate the new level. */
function warningsOf(namespace: string, level: LevelVersion, { store }: PluginContext): readonly string[] {
  const found = prioritized(store.range(pods, `${namespace}/`).map(({ object }) => object));
  const byReason = new Map<string, string[]>();
  for (const pod of found.slice(0, maxPods)) {
    const reasons = reasonsOf(violationsOf(level, podView(pod.metadata, pod.spec)));
    if (reasons) byReason.set(reasons, [...(byReason.get(reasons) ?? []), pod.metadata.name]);
  }
  const warnings = [...byReason].map(([reasons, names]) => {
    const [first = "", ...others] = names.sort();
    const more =
      others.length > 0 ? ` (and ${others.length} other ${others.length === 1 ? "pod" : "pods"})` : "";
    return `${first}${more}: ${reasons}`;
  });
  return [
    ...(found.length > maxPods
      ? [
          `new PodSecurity enforce level only checked against the first ${maxPods} of ${found.length} existing pods`,
        ]
      : []),
    ...(warnings.length > 0
      ? [
          `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${formatLevel(level)}"`,
        ]
      : []),
    ...warnings.sort(),
  ];
}

/** Moves one pod of each controller to the front. Replicas of a controller usually have the same violations. */
function prioritized(all: readonly KubeObject[]): readonly KubeObject[] {
  const seen = new Set<string>();
  const [first, others]: [KubeObject[], KubeObject[]] = [[], []];
  for (const pod of all) {
    const controller = listAt(pod, "metadata", "ownerReferences").find(
      (owner) => objectAt(owner).controller === true,
    );
    const uid = scalarStringAt(controller, "uid");
    (uid && seen.has(uid) ? others : first).push(pod);
    seen.add(uid);
  }
  return [...first, ...others];
}
