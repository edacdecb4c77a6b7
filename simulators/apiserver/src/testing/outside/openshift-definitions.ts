import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt } from "@keelson/base";
import { readGoYaml } from "./go-yaml.ts";

export interface DefinitionFile {
  /** File name without its directory. */
  readonly name: string;
  readonly definition: unknown;
}

const featureSetAnnotation = "release.openshift.io/feature-set";
const profilePrefix = "include.release.openshift.io/";
const majorVersionPrefix = "release.openshift.io/major-version";

/**
 * Returns the manifests of a definition for cases with these feature gates. `-Gate` means that the gate must be disabled. Without
 * gates, returns all manifests.
 * @see openshift/api tests/crd_filter.go
 */
export function definitionsFor(
  directory: string,
  definitionName: string,
  gates: readonly string[],
  featureGatesDirectory: string,
): readonly DefinitionFile[] {
  return manifestsIn(directory)
    .filter(({ definition }) => scalarStringAt(definition, "metadata", "name") === definitionName)
    .filter(({ definition }) => gates.length === 0 || hasGates(definition, gates, featureGatesDirectory));
}

function hasGates(definition: unknown, gates: readonly string[], featureGatesDirectory: string): boolean {
  const annotations = objectAt(definition, "metadata", "annotations");
  const featureSets = new Set(listed(annotations[featureSetAnnotation]));
  // The feature set `CustomNoUpgrade` contains all fields.
  if (featureSets.has("CustomNoUpgrade")) return gates.every((gate) => !gate.startsWith("-"));
  const [profile] = profilesOf(annotations);
  if (profile === undefined) return true;
  if (featureSets.size === 0) featureSets.add("Default");
  const enabled = enabledGates(featureGatesDirectory, profile, featureSets, majorVersionsOf(annotations));
  return gates.every((gate) => {
    const wanted = !gate.startsWith("-");
    const name = wanted ? gate : gate.slice(1);
    const found = enabled.get(name);
    if (found === undefined) throw new Error(`no manifest sets the feature gate ${name}`);
    return found === wanted;
  });
}

/** Returns the state of each feature gate, read from the first manifest that matches the profile, feature set and version. */
function enabledGates(
  directory: string,
  profile: string,
  featureSets: ReadonlySet<string>,
  versions: readonly number[],
): ReadonlyMap<string, boolean> {
  const found = manifestsIn(directory).find(({ definition }) => {
    const annotations = objectAt(definition, "metadata", "annotations");
    const own = majorVersionsOf(annotations);
    return (
      annotations[profile] !== undefined &&
      featureSets.has(String(annotations[featureSetAnnotation] ?? "")) &&
      (versions.length === 0 || own.some((version) => versions.includes(version)))
    );
  });
  if (!found) {
    throw new Error(
      `no feature gates for profile ${profile}, feature set ${[...featureSets].join(", ")}, version ${versions.join(", ")}`,
    );
  }
  const [gates] = listAt(found.definition, "status", "featureGates");
  const names = (list: string) => listAt(gates, list).map((each) => scalarStringAt(each, "name"));
  return new Map([
    ...names("enabled").map((name): [string, boolean] => [name, true]),
    ...names("disabled").map((name): [string, boolean] => [name, false]),
  ]);
}

const read = new Map<string, readonly DefinitionFile[]>();

/** Returns the YAML files in a directory, sorted by name. */
function manifestsIn(directory: string): readonly DefinitionFile[] {
  const known = read.get(directory);
  if (known) return known;
  readdirSync(directory);
  const files = globSync("**/*.yaml", { cwd: directory }).sort();
  const manifests = files.map((file) => ({
    name: basename(file),
    definition: readGoYaml(readFileSync(join(directory, file), "utf8")),
  }));
  read.set(directory, manifests);
  return manifests;
}

function profilesOf(annotations: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(annotations)
    .filter((name) => name.startsWith(profilePrefix) && annotations[name] === "true")
    .sort();
}

function majorVersionsOf(annotations: Readonly<Record<string, unknown>>): readonly number[] {
  const name = Object.keys(annotations).find((each) => each.startsWith(majorVersionPrefix));
  return listed(name && annotations[name])
    .map(Number)
    .filter((version) => Number.isInteger(version));
}

function listed(value: unknown): readonly string[] {
  return typeof value === "string" && value !== "" ? value.split(",").map((each) => each.trim()) : [];
}
