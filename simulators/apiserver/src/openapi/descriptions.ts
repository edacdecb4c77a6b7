/** What `kubectl explain` says of a kind or field, for those met first. */
const kinds: Readonly<Record<string, string>> = {
  "core.v1.ConfigMap": "Configuration as named texts or binary values, for pods to read.",
  "core.v1.Event": "A report that something happened to an object.",
  "core.v1.Namespace": "A scope for names; deleting it deletes all it holds.",
  "core.v1.Node": "A machine that runs pods.",
  "core.v1.Pod": "Containers that run together on one node.",
  "core.v1.Secret": "Confidential values, base64-encoded on the wire.",
  "core.v1.Service": "A stable address in front of the pods that a selector names.",
  "core.v1.ServiceAccount": "An identity for processes in pods.",
  "apps.v1.DaemonSet": "Runs one pod on every matching node.",
  "apps.v1.Deployment": "Keeps a number of equal pods running and rolls out changes to them.",
  "apps.v1.ReplicaSet": "Keeps a number of equal pods running.",
  "apps.v1.StatefulSet": "Keeps pods with lasting identities and volumes.",
  "batch.v1.CronJob": "Creates jobs on a schedule.",
  "batch.v1.Job": "Runs pods until enough of them have succeeded.",
  "coordination.v1.Lease": "A lock with a holder and a time to live.",
  "meta.v1.ObjectMeta": "Metadata that all stored objects have.",
};

const fields: Readonly<Record<string, string>> = {
  apiVersion: "Group and version of the object's schema.",
  kind: "Kind of the object.",
  metadata: "Name, labels and other metadata of the object.",
  spec: "The state that is wanted.",
  status: "The state that was observed; written by controllers.",
};

const configMapFields: Readonly<Record<string, string>> = {
  binaryData: "Values that need not be UTF-8, base64-encoded; keys must differ from those of data.",
  data: "Texts by key; a key has letters, digits, '-', '_' and '.'.",
  immutable: "When true, data and binaryData can no longer change.",
};

export function describeType(typeName: string): string | undefined {
  return kinds[typeName];
}

/** The description of a field of a kind (`isKind`) or of any type. */
export function describeField(typeName: string, field: string, isKind: boolean): string | undefined {
  if (typeName === "core.v1.ConfigMap" && configMapFields[field]) return configMapFields[field];
  return isKind ? fields[field] : undefined;
}
