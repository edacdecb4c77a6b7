import { type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { objectAt, valueAt } from "@keelson/base";
import type { AdmissionRequest } from "../../resources/admission-request.ts";
import { forbidden } from "../../resources/forbidden.ts";
import type { AdmissionPlugin, ObjectRequest, PluginContext } from "./plugin.ts";

const bucket = "scheduling.k8s.io/priorityclasses";

/** Sets a pod's priority and preemption policy from its PriorityClass. Rejects a second default class. */
export const priority: AdmissionPlugin = {
  name: "Priority",
  targets: ["CREATE /pods", "UPDATE /pods", `CREATE ${bucket}`, `UPDATE ${bucket}`],
  mutate(request, context) {
    if (request.resource.bucket !== "/pods") return request.object;
    return request.oldObject ? kept(request.object, request.oldObject) : resolved(request, context);
  },
  validate(request, context) {
    if (request.resource.bucket === bucket) checkDefault(request, context);
  },
};

/** Restores the plugin's fields if an update omits them. */
function kept(pod: KubeObject, before: KubeObject): KubeObject {
  const missing = ["priority", "preemptionPolicy"].filter(
    (field) => valueAt(pod, "spec", field) === undefined && valueAt(before, "spec", field) !== undefined,
  );
  if (missing.length === 0) return pod;
  const spec = objectAt(pod, "spec");
  const given = Object.fromEntries(missing.map((field) => [field, valueAt(before, "spec", field)]));
  return { ...pod, spec: { ...spec, ...given } };
}

function resolved(request: ObjectRequest, context: PluginContext): KubeObject {
  const { object: pod } = request;
  const spec = objectAt(pod, "spec");
  const { name, value, policy } = classOf(request, context);
  const given = spec.priority;
  if (given !== undefined && given !== value) {
    throw forbidden(
      request,
      `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  const ownPolicy = scalarStringAt(spec, "preemptionPolicy");
  if (ownPolicy && policy && ownPolicy !== policy) {
    throw forbidden(
      request,
      `the string value of PreemptionPolicy (${ownPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  }
  return {
    ...pod,
    spec: {
      ...spec,
      priority: value,
      ...(policy ? { preemptionPolicy: policy } : {}),
      ...(name ? { priorityClassName: name } : {}),
    },
  };
}

interface Priority {
  readonly name: string;
  readonly value: number;
  readonly policy: string;
}

function classOf(request: ObjectRequest, context: PluginContext): Priority {
  const name = scalarStringAt(request.object, "spec", "priorityClassName");
  if (!name) return defaultClass(context) ?? { name: "", value: 0, policy: "PreemptLowerPriority" };
  const found = context.store.get(bucket, name)?.object;
  if (!found) throw forbidden(request, `no PriorityClass with name ${name} was found`);
  return parsed(found);
}

/**
 * Returns the default class. Undefined if there is no default class. If there are several, the class with the lowest value
 * applies.
 */
function defaultClass({ store }: PluginContext): Priority | undefined {
  const defaults = store
    .range(bucket, "")
    // The search in the serialized bytes avoids the parsing of classes that are not the default.
    .filter((each) => each.bytes.includes('"globalDefault":true') && each.object.globalDefault === true)
    .map(({ object }) => parsed(object));
  const [first, ...others] = defaults;
  return first && others.reduce((lowest, each) => (each.value < lowest.value ? each : lowest), first);
}

function parsed(priorityClass: KubeObject): Priority {
  const { value, metadata } = priorityClass;
  return {
    name: metadata.name,
    value: typeof value === "number" ? value : 0,
    policy: scalarStringAt(priorityClass, "preemptionPolicy"),
  };
}

function checkDefault(request: AdmissionRequest, context: PluginContext): void {
  if (request.object?.globalDefault !== true) return;
  const other = defaultClass(context);
  if (!other || (request.operation === "UPDATE" && other.name === request.object.metadata.name)) return;
  throw forbidden(
    request,
    `PriorityClass ${other.name} is already marked as default. Only one default can exist`,
  );
}
