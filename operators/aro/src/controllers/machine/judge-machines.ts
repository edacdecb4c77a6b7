import { isPlainObject, numberAt, stringAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

const roleLabel = "machine.openshift.io/cluster-api-machine-role";
const specVersions = ["azureproviderconfig.openshift.io/v1beta1", "machine.openshift.io/v1beta1"];
const expectedMasters = 3;
const minimumDiskGb = 128;
/** Maximum number of faults in a condition. */
const maxFaults = 50;

/** Returns the faults of the cluster's machines, one line each, sorted by machine. Faults of the machine counts come last. */
export function machineFaults(
  machines: readonly KubeObject[],
  machineSets: readonly KubeObject[],
): readonly string[] {
  const sorted = machines.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const faults = sorted.flatMap((machine) =>
    faultsOf(machine).map((fault) => `machine ${machine.metadata.name}: ${fault}`),
  );
  const masters = machines.filter((machine) => roleOf(machine) === "master").length;
  const workers = machines.filter((machine) => roleOf(machine) === "worker").length;
  const expectedWorkers = machineSets.reduce((sum, set) => sum + (numberAt(set, "spec", "replicas") ?? 1), 0);
  const counts = [
    ...(masters === expectedMasters
      ? []
      : [`invalid number of master machines ${masters}, expected ${expectedMasters}`]),
    ...(workers === expectedWorkers
      ? []
      : [`invalid number of worker machines ${workers}, expected ${expectedWorkers}`]),
  ];
  const more = faults.length > maxFaults ? [`and ${faults.length - maxFaults} more`] : [];
  return [...faults.slice(0, maxFaults), ...more, ...counts];
}

/** Reduces a machine to the checked fields. With thousands of machines, this saves most of the memory. */
export function checkedFields(machine: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = machine;
  const { name, namespace, uid, resourceVersion, generation, labels } = metadata;
  const value = valueAt(machine, "spec", "providerSpec", "value");
  const read = ["apiVersion", "kind", "image", "osDisk", "managedIdentity"];
  const kept = isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([member]) => read.includes(member)))
    : value;
  const own = { name, namespace, uid, resourceVersion, generation, labels };
  return { apiVersion, kind, metadata: own, spec: { providerSpec: { value: kept } } } as KubeObject;
}

function roleOf({ metadata }: KubeObject): string | undefined {
  const label = metadata.labels?.[roleLabel];
  return label === undefined ? undefined : label === "master" ? "master" : "worker";
}

function faultsOf(machine: KubeObject): readonly string[] {
  const role = roleOf(machine);
  if (role === undefined) return ["cluster-api-machine-role label not found"];
  const value = valueAt(machine, "spec", "providerSpec", "value");
  if (value === undefined || value === null) return ["provider spec missing"];
  const spec = readProviderSpec(value);
  if ("fault" in spec) return [`failed to read provider spec: ${spec.fault}`];
  const { image, diskSizeGb, managedIdentity } = spec;
  return [
    ...(role === "worker" && diskSizeGb < minimumDiskGb ? [`invalid disk size '${diskSizeGb}'`] : []),
    ...(image.publisher === "azureopenshift" && image.offer === "aro4"
      ? []
      : [`invalid image '${imageText(image)}'`]),
    ...(managedIdentity === "" ? [] : [`invalid managedIdentity '${managedIdentity}'`]),
  ];
}

type Image = Readonly<Record<"publisher" | "offer" | "sku" | "version" | "resourceID" | "type", string>>;

interface ProviderSpec {
  readonly image: Image;
  readonly diskSizeGb: number;
  readonly managedIdentity: string;
}

function readProviderSpec(value: unknown): ProviderSpec | { readonly fault: string } {
  if (!isPlainObject(value)) return { fault: "it is not an object" };
  const apiVersion = stringAt(value, "apiVersion") ?? "";
  const kind = stringAt(value, "kind") ?? "";
  if (!specVersions.includes(apiVersion) || kind !== "AzureMachineProviderSpec")
    return { fault: `no kind "${kind}" is registered for version "${apiVersion}"` };
  const text = (name: string) => stringAt(value, "image", name) ?? "";
  return {
    image: {
      publisher: text("publisher"),
      offer: text("offer"),
      sku: text("sku"),
      version: text("version"),
      resourceID: text("resourceID"),
      type: text("type"),
    },
    diskSizeGb: numberAt(value, "osDisk", "diskSizeGB") ?? 0,
    managedIdentity: stringAt(value, "managedIdentity") ?? "",
  };
}

/** Formats an image in the form of ARO-RP's messages: the values of its fields in braces. */
function imageText({ publisher, offer, sku, version, resourceID, type }: Image): string {
  return `{${[publisher, offer, sku, version, resourceID, type].join(" ")}}`;
}
