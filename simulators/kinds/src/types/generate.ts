/**
 * Writes `models.generated.txt`, which contains the fields of every built-in kind. The source is the type metadata of the official
 * client.
 *
 *     node simulators/kinds/src/types/generate.ts --update
 *
 * Without `--update`, the script only checks that the file is current. It exits with code 1 if the file is stale. The script's
 * test runs this check.
 */
import { readFile, writeFile } from "node:fs/promises";
import { builtinKinds } from "../builtin/builtin-kinds.ts";
import { packageOf } from "../catalogue/type-schema.ts";

const output = new URL("./models.generated.txt", import.meta.url);

/**
 * Additional root types by package. Most of these types occur only in requests and responses. Types of meta come first, so that
 * nested types are assigned to meta.
 */
const extraRoots: readonly (readonly [pkg: string, model: string])[] = [
  ["meta.v1", "V1ObjectMeta"],
  ["meta.v1", "V1ListMeta"],
  ["meta.v1", "V1LabelSelector"],
  ["meta.v1", "V1FieldSelectorRequirement"],
  ["meta.v1", "V1Condition"],
  ["meta.v1", "V1DeleteOptions"],
  ["meta.v1", "V1Status"],
  ["core.v1", "V1TopologySelectorTerm"],
  ["core.v1", "V1Binding"],
  ["policy.v1", "V1Eviction"],
  ["authentication.v1", "AuthenticationV1TokenRequest"],
  ["autoscaling.v1", "V1Scale"],
];

/** Model names of kinds that exist in several groups. In these names, the client library puts the group before the version. */
const prefixed: Readonly<Record<string, string>> = {
  "core.v1.Event": "CoreV1Event",
  "events.v1.Event": "EventsV1Event",
};

/**
 * Fields that the type metadata of `@kubernetes/client-node` declares as strings, but that are quantities in Kubernetes
 * (resource.Quantity and ResourceList in kubernetes/api).
 */
const quantities = new Set(
  `PersistentVolumeSpec.capacity PersistentVolumeClaimStatus.capacity PersistentVolumeClaimStatus.allocatedResources
  EmptyDirVolumeSource.sizeLimit ResourceFieldSelector.divisor ResourceRequirements.limits
  ResourceRequirements.requests VolumeResourceRequirements.limits VolumeResourceRequirements.requests
  ContainerStatus.allocatedResources PodSpec.overhead PodStatus.allocatedResources NodeStatus.capacity
  NodeStatus.allocatable LimitRangeItem.max LimitRangeItem.min LimitRangeItem.default LimitRangeItem.defaultRequest
  LimitRangeItem.maxLimitRequestRatio ResourceQuotaSpec.hard ResourceQuotaStatus.hard ResourceQuotaStatus.used
  HPAScalingRules.tolerance MetricTarget.value MetricTarget.averageValue MetricValueStatus.value
  MetricValueStatus.averageValue CSIStorageCapacity.capacity CSIStorageCapacity.maximumVolumeSize
  Overhead.podFixed`.split(/\s+/),
);

interface Attribute {
  readonly name: string;
  readonly baseName: string;
  readonly type: string;
  readonly format: string;
}

/** Returns the content of the generated file. */
export async function generate(): Promise<string> {
  const directory = new URL("gen/models/", import.meta.resolve("@kubernetes/client-node"));
  const owners = new Map<string, string>();
  const models = new Map<string, Map<string, { attribute: Attribute; required: boolean }>>();

  const visit = async (pkg: string, model: string): Promise<void> => {
    if (owners.has(model)) return;
    owners.set(model, pkg);
    const attributes = await attributesOf(directory, model);
    models.set(model, attributes);
    for (const { attribute } of attributes.values()) {
      const inner = modelIn(attribute.type);
      if (inner) await visit(pkg, inner);
    }
  };
  for (const [pkg, model] of extraRoots) await visit(pkg, model);
  for (const { group, versions, kind, types } of builtinKinds) {
    if (types?.fields !== undefined) continue;
    for (const version of versions) {
      const pkg = `${packageOf(group)}.${version}`;
      await visit(pkg, prefixed[`${pkg}.${kind}`] ?? `${version.toUpperCase()}${kind}`);
    }
  }

  const nameOf = (model: string) => `${owners.get(model)}.${shortName(model)}`;
  const lines = [...models].map(([model, attributes]) => {
    const prefix = `${owners.get(model)}.`;
    const fields = [...attributes.values()].map(({ attribute, required }) => {
      const isQuantity = quantities.has(`${shortName(model)}.${attribute.baseName}`);
      const code = codeOf(attribute, isQuantity, (inner) => {
        const name = nameOf(inner);
        return name.startsWith(prefix) ? name.slice(prefix.length) : name;
      });
      return `${attribute.baseName}${required ? "!" : ""}:${code}`;
    });
    return [nameOf(model), ...fields].join(" ");
  });
  return `${lines.sort().join("\n")}\n`;
}

/** Returns the attributes of a model by JSON name. A property is required if its declaration has no question mark. */
async function attributesOf(directory: URL, model: string) {
  const module: unknown = await import(new URL(`${model}.js`, directory).href);
  const declaration = await readFile(new URL(`${model}.d.ts`, directory), "utf8");
  const result = new Map<string, { attribute: Attribute; required: boolean }>();
  for (const attribute of attributeMap(module, model)) {
    const required = declaration.includes(`    '${attribute.name}': `);
    result.set(attribute.baseName, { attribute, required });
  }
  return result;
}

function attributeMap(module: unknown, model: string): readonly Attribute[] {
  const members = Object.entries(Object(module));
  const found = members.find(([name]) => name === model)?.[1];
  if (typeof found === "function" && "attributeTypeMap" in found && Array.isArray(found.attributeTypeMap)) {
    return found.attributeTypeMap;
  }
  throw new Error(`the client's model ${model} has no attributeTypeMap`);
}

/** Removes the prefix and version of a model name: `V1PodSpec` becomes `PodSpec`, `CoreV1Event` becomes `Event`. */
function shortName(model: string): string {
  return model
    .replace(/^(?:Core|Events|Discovery|Rbac|Storage|Flowcontrol|Authentication)?V\d/, "")
    .replace(/^(?:Admissionregistration|Apiextensions|Apiregistration)V1/, "");
}

function modelIn(type: string): string | undefined {
  const inner = /^Array<(.*)>$/.exec(type)?.[1] ?? /^\{ \[key: string\]: (.*); \}$/.exec(type)?.[1];
  if (inner) return modelIn(inner);
  return /V\d/.test(type) && type !== "V1MicroTime" ? type : undefined;
}

function codeOf(attribute: Attribute, isQuantity: boolean, nameOf: (model: string) => string): string {
  const code = (type: string): string => {
    const list = /^Array<(.*)>$/.exec(type)?.[1];
    if (list) return `[]${code(list)}`;
    const map = /^\{ \[key: string\]: (.*); \}$/.exec(type)?.[1];
    if (map) return `{}${code(map)}`;
    switch (type) {
      case "string":
        return isQuantity ? "q" : attribute.format === "byte" ? "y" : "s";
      case "number":
        return attribute.format === "int64" ? "l" : attribute.format === "double" ? "n" : "i";
      case "boolean":
        return "b";
      case "Date":
        return "t";
      case "V1MicroTime":
        return "T";
      case "IntOrString":
        return "x";
      case "any":
        return "*";
      default:
        return nameOf(type);
    }
  };
  return code(attribute.type);
}

async function main(): Promise<void> {
  const wanted = await generate();
  if (process.argv.includes("--update")) {
    await writeFile(output, wanted);
  } else if ((await readFile(output, "utf8")) !== wanted) {
    console.error("models.generated.txt is stale: run generate.ts --update");
    process.exitCode = 1;
  }
}

if (import.meta.main) void main();
