import { allTypes, type ObjectSchema, type TypeSchema, typeOf } from "../catalogue/index.ts";
import type { ResourceType } from "../resource-type.ts";
import {
  atomicSchema,
  booleanSchema,
  type FieldSchema,
  freeSchema,
  numberSchema,
  type StructSchema,
  scalarSchema,
  textSchema,
} from "./field-schema.ts";

/**
 * Lists that divide into items, as `package.version.Type field=keys ...`; `field=` is a set. All others are atomic.
 * Facts: `+listType` and `+listMapKey` in kubernetes/api `{group}/{version}/types.go` (1.36) and of ObjectMeta.
 */
const lists = `
meta.v1.ObjectMeta finalizers= ownerReferences=uid
core.v1.Container env=name ports=containerPort,protocol volumeDevices=devicePath volumeMounts=mountPath
core.v1.ContainerRestartRuleOnExitCodes values=
core.v1.ContainerStatus allocatedResourcesStatus=name volumeMounts=mountPath
core.v1.EphemeralContainer env=name ports=containerPort,protocol volumeDevices=devicePath volumeMounts=mountPath
core.v1.ResourceRequirements claims=name
core.v1.ResourceStatus resources=resourceID
core.v1.PodSpec containers=name ephemeralContainers=name hostAliases=ip imagePullSecrets=name initContainers=name
core.v1.PodSpec resourceClaims=name schedulingGates=name topologySpreadConstraints=topologyKey,whenUnsatisfiable
core.v1.PodSpec volumes=name
core.v1.PodStatus conditions=type podIPs=ip resourceClaimStatuses=name
core.v1.PersistentVolumeClaimStatus conditions=type
core.v1.ReplicationControllerStatus conditions=type
core.v1.ServiceSpec ports=port,protocol
core.v1.ServiceStatus conditions=type
core.v1.ServiceAccount secrets=name
core.v1.NodeSpec podCIDRs=
core.v1.NodeStatus addresses=type conditions=type
core.v1.NamespaceStatus conditions=type
core.v1.ComponentStatus conditions=type
admissionregistration.v1.ValidatingAdmissionPolicySpec matchConditions=name variables=name
admissionregistration.v1.ValidatingAdmissionPolicyStatus conditions=type
admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec validationActions=
admissionregistration.v1.MutatingAdmissionPolicySpec matchConditions=name
admissionregistration.v1.ValidatingWebhookConfiguration webhooks=name
admissionregistration.v1.MutatingWebhookConfiguration webhooks=name
admissionregistration.v1.ValidatingWebhook matchConditions=name
admissionregistration.v1.MutatingWebhook matchConditions=name
apiextensions.v1.CustomResourceDefinitionStatus conditions=type
apiregistration.v1.APIServiceStatus conditions=type
apps.v1.StatefulSetStatus conditions=type
apps.v1.DeploymentStatus conditions=type
apps.v1.DaemonSetStatus conditions=type
apps.v1.ReplicaSetStatus conditions=type
autoscaling.v2.HorizontalPodAutoscalerStatus conditions=type
batch.v1.PodFailurePolicyOnExitCodesRequirement values=
batch.v1.UncountedTerminatedPods succeeded= failed=
certificates.v1.CertificateSigningRequestStatus conditions=type
discovery.v1.Endpoint addresses=
flowcontrol.v1.ResourcePolicyRule verbs= apiGroups= resources= namespaces=
flowcontrol.v1.NonResourcePolicyRule verbs= nonResourceURLs=
flowcontrol.v1.FlowSchemaStatus conditions=type
flowcontrol.v1.PriorityLevelConfigurationStatus conditions=type
networking.v1.ServiceCIDRStatus conditions=type
policy.v1.PodDisruptionBudgetStatus conditions=type
resource.v1.ResourceClaimStatus reservedFor=uid devices=device,driver,pool,shareID
resource.v1.AllocatedDeviceStatus conditions=type
storage.v1.CSIDriverSpec volumeLifecycleModes=
storage.v1.CSINodeSpec drivers=name
`;

/** Types whose values are owned as a whole, `+structType=atomic` at the same place. */
const atomicTypes: ReadonlySet<string> = new Set(
  `
admissionregistration.v1.ParamKind admissionregistration.v1.ParamRef admissionregistration.v1.Variable
admissionregistration.v1.MatchResources admissionregistration.v1.NamedRuleWithOperations
autoscaling.v1.CrossVersionObjectReference core.v1.SecretReference core.v1.FileKeySelector
core.v1.ObjectFieldSelector core.v1.ResourceFieldSelector core.v1.ConfigMapKeySelector core.v1.SecretKeySelector
core.v1.NodeSelector core.v1.NodeSelectorTerm core.v1.TopologySelectorTerm core.v1.EndpointAddress
core.v1.EndpointPort core.v1.ObjectReference core.v1.LocalObjectReference core.v1.TypedLocalObjectReference
core.v1.ScopeSelector discovery.v1.EndpointPort networking.v1.ServiceBackendPort rbac.v1.Subject rbac.v1.RoleRef
meta.v1.OwnerReference meta.v1.LabelSelector
`
    .trim()
    .split(/\s+/),
);

/** Fields that differ from their type (`+structType`, `+mapType` of the field). */
const atomicFields: ReadonlySet<string> = new Set([
  "core.v1.PodSpec.nodeSelector",
  "core.v1.ReplicationControllerSpec.selector",
  "core.v1.ServiceSpec.selector",
  "node.v1.Scheduling.nodeSelector",
]);
const granularFields: ReadonlySet<string> = new Set(["core.v1.PersistentVolumeSpec.claimRef"]);

/** Values of keys that items of these lists may leave out, beside those whose absence is their zero value. */
const keyDefaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "core.v1.Container.ports": { protocol: "TCP" },
  "core.v1.EphemeralContainer.ports": { protocol: "TCP" },
  "core.v1.ServiceSpec.ports": { protocol: "TCP" },
};

/** Objects that Go writes even when they are empty, because they are held by value; lists likewise. */
const implicitFieldNames: ReadonlySet<string> = new Set([
  "metadata",
  "spec",
  "status",
  "template",
  "jobTemplate",
  "strategy",
  "updateStrategy",
  "containers",
]);

const listKeys: ReadonlyMap<string, readonly string[]> = new Map(
  lists
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [type, ...fields] = line.split(" ");
      return fields.map((text): [string, readonly string[]] => {
        const [field = "", keys = ""] = text.split("=");
        return [`${type}.${field}`, keys === "" ? [] : keys.split(",")];
      });
    }),
);

/** The keys of a list that divides into items by them, none for a set; `undefined` for an atomic list. */
export function listKeysOf(typeName: string, field: string): readonly string[] | undefined {
  return listKeys.get(`${typeName}.${field}`);
}

/** Whether a field is owned as a whole though it is an object or a map. */
export function isAtomicField(typeName: string, field: string): boolean {
  return atomicFields.has(`${typeName}.${field}`);
}

export function isAtomicType(typeName: string): boolean {
  return atomicTypes.has(typeName);
}

/** What only the server decides: nobody owns it. */
const serverFields: readonly string[] = [
  "name",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "selfLink",
  "managedFields",
];

/** Keys that items may have or not: all others are written even when they are empty. */
const optionalKeys: ReadonlySet<string> = new Set(["resource.v1.ResourceClaimStatus.devices.shareID"]);

const fieldSchemas = new Map<string, StructSchema>();

/** The schema of a built-in kind; without a schema if the catalogue does not hold it. */
export function builtinFieldSchema(type: ResourceType): FieldSchema {
  const schema = typeOf(type);
  return objectFieldSchema(schema ? fieldSchemaOfObject(schema) : freeSchema);
}

/** The schema of a whole object whose kind has this one: what only the server decides is left out. */
export function objectFieldSchema(fieldSchema: FieldSchema): FieldSchema {
  const struct = fieldSchema.kind === "struct" ? fieldSchema : undefined;
  const fields = new Map<string, FieldSchema | undefined>(struct?.fields);
  fields.set("apiVersion", undefined).set("kind", undefined).set("metadata", metadataFieldSchema());
  const others = struct ? struct.others : freeSchema;
  return {
    kind: "struct",
    fields,
    others,
    implicitFields: new Set([...(struct?.implicitFields ?? []), "metadata"]),
  };
}

function metadataFieldSchema(): FieldSchema {
  const fieldSchema = wholeMetadataFieldSchema();
  if (fieldSchema.kind !== "struct") return fieldSchema;
  const fields = new Map<string, FieldSchema | undefined>(fieldSchema.fields);
  for (const name of serverFields) fields.set(name, undefined);
  return { ...fieldSchema, fields };
}

function wholeMetadataFieldSchema(): FieldSchema {
  const schema = allTypes().get("meta.v1.ObjectMeta");
  return schema ? structOf(schema) : freeSchema;
}

/** All that an object may hold, what only the server decides included. */
export function declaredFieldSchema(fieldSchema: FieldSchema): FieldSchema {
  if (fieldSchema.kind !== "struct") return fieldSchema;
  const fields = new Map<string, FieldSchema | undefined>(fieldSchema.fields);
  fields.set("apiVersion", textSchema).set("kind", textSchema).set("metadata", wholeMetadataFieldSchema());
  return { ...fieldSchema, fields };
}

function fieldSchemaOfObject(schema: ObjectSchema, granular = false): FieldSchema {
  const fieldSchema = structOf(schema);
  return atomicTypes.has(schema.name) && !granular ? atomicSchema(fieldSchema) : fieldSchema;
}

function structOf(schema: ObjectSchema): StructSchema {
  const found = fieldSchemas.get(schema.name);
  if (found) return found;
  const fields = new Map<string, FieldSchema>();
  const implicitFields = new Set([...schema.fields.keys()].filter((name) => implicitFieldNames.has(name)));
  const fieldSchema: StructSchema = { kind: "struct", fields, others: undefined, implicitFields };
  // Types may contain themselves: the schema is known before its fields are.
  fieldSchemas.set(schema.name, fieldSchema);
  for (const [name, field] of schema.fields) {
    fields.set(name, fieldSchemaOfField(`${schema.name}.${name}`, field.schema));
  }
  return fieldSchema;
}

function fieldSchemaOfField(path: string, schema: TypeSchema): FieldSchema {
  if (atomicFields.has(path)) return atomicSchema(fieldSchemaOf(schema));
  if (schema.type === "object") return fieldSchemaOfObject(schema, granularFields.has(path));
  if (schema.type !== "list") return fieldSchemaOf(schema);
  const keys = listKeys.get(path);
  const items = fieldSchemaOf(schema.items);
  if (!keys) return { kind: "leaf", content: { items } };
  if (keys.length === 0) return { kind: "set", items };
  // An item that is atomic elsewhere still has keys here: they name it, and it is owned as a whole.
  const defaults = { ...zeroKeys(path, keys, schema.items), ...keyDefaults[path] };
  return { kind: "list", keys, defaults, items };
}

function zeroKeys(
  path: string,
  keys: readonly string[],
  items: TypeSchema,
): Readonly<Record<string, unknown>> {
  const fields = items.type === "object" ? items.fields : undefined;
  return Object.fromEntries(
    keys.flatMap((key): [string, unknown][] => {
      if (optionalKeys.has(`${path}.${key}`)) return [];
      const type = fields?.get(key)?.schema.type;
      return [[key, type === "int32" || type === "int64" ? 0 : ""]];
    }),
  );
}

function fieldSchemaOf(schema: TypeSchema): FieldSchema {
  switch (schema.type) {
    case "object":
      return fieldSchemaOfObject(schema);
    case "map":
      return { kind: "map", values: fieldSchemaOf(schema.values) };
    case "list":
      return { kind: "leaf", content: { items: fieldSchemaOf(schema.items) } };
    case "any":
      return freeSchema;
    case "int32":
    case "int64":
    case "number":
      return numberSchema;
    case "boolean":
      return booleanSchema;
    case "quantity":
    case "intOrString":
      return scalarSchema;
    default:
      return textSchema;
  }
}
