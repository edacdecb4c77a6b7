import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, stringsAt } from "@keelson/base";
import { readGoYaml } from "./go-yaml.ts";
import { type DefinitionFile, definitionsFor } from "./openshift-definitions.ts";

/** File of openshift/api with test cases for the manifests of one definition. */
export interface OpenshiftSuite {
  /** File path relative to the checkout. */
  readonly file: string;
  readonly name: string;
  /** Definition version that the cases use. */
  readonly version: string;
  readonly definitions: readonly DefinitionFile[];
  readonly onCreate: readonly CreateCase[];
  readonly onUpdate: readonly UpdateCase[];
}

export interface CreateCase {
  readonly name: string;
  /** YAML. */
  readonly initial: string;
  readonly expected: string;
  /** Part of the expected error message of the creation. Empty if the creation must succeed. */
  readonly expectedError: string;
}

export interface UpdateCase extends CreateCase {
  /** JSON patch operations for the definition, in effect only while the object is created. */
  readonly initialCRDPatches: readonly unknown[];
  readonly updated: string;
  readonly expectedStatusError: string;
}

/** Suite file that cannot be parsed, and the reason. */
export interface UnreadableSuite {
  readonly file: string;
  readonly problem: string;
}

/** Loads all suites in the checkout at `directory`. */
export function loadSuites(directory: string): {
  readonly suites: readonly OpenshiftSuite[];
  readonly unreadable: readonly UnreadableSuite[];
} {
  const suites: OpenshiftSuite[] = [];
  const unreadable: UnreadableSuite[] = [];
  const files = globSync("**/tests/*/*.yaml", { cwd: directory, exclude: (name) => name === "vendor" });
  for (const file of files.sort()) {
    try {
      suites.push(loadSuite(directory, file));
    } catch (error) {
      unreadable.push({ file, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  return { suites, unreadable };
}

function loadSuite(directory: string, file: string): OpenshiftSuite {
  const suite = readGoYaml(readFileSync(join(directory, file), "utf8"));
  const definitionName = scalarStringAt(suite, "crdName");
  if (!definitionName) throw new Error("the suite has no definition (crdName)");
  const manifests = join(directory, dirname(file), "..", "..", "zz_generated.crd-manifests");
  const featureGates = join(directory, "payload-manifests", "featuregates");
  const definitions = definitionsFor(
    manifests,
    definitionName,
    stringsAt(suite, "featureGates"),
    featureGates,
  );
  if (definitions.length === 0)
    throw new Error(`no manifest of ${definitionName} in ${relative(directory, manifests)}`);
  return {
    file,
    name: scalarStringAt(suite, "name"),
    version: scalarStringAt(suite, "version") || onlyVersion(definitions),
    definitions,
    onCreate: listAt(suite, "tests", "onCreate").map(createCase),
    onUpdate: listAt(suite, "tests", "onUpdate").map((each) => ({
      ...createCase(each),
      initialCRDPatches: listAt(each, "initialCRDPatches"),
      updated: scalarStringAt(each, "updated"),
      expectedStatusError: scalarStringAt(each, "expectedStatusError"),
    })),
  };
}

function createCase(value: unknown): CreateCase {
  const [name, initial] = [scalarStringAt(value, "name"), scalarStringAt(value, "initial")];
  return {
    name,
    initial,
    expected: scalarStringAt(value, "expected"),
    expectedError: scalarStringAt(value, "expectedError"),
  };
}

function onlyVersion(definitions: readonly DefinitionFile[]): string {
  const versions = new Set(
    definitions.flatMap(({ definition }) =>
      listAt(definition, "spec", "versions").map((each) => scalarStringAt(each, "name")),
    ),
  );
  const [version, ...others] = versions;
  if (version === undefined || others.length > 0) {
    throw new Error(`the suite does not select one of the versions ${[...versions].join(", ")}`);
  }
  return version;
}

/** Returns the definition with only the given version, which is served and stored. */
export function withVersion(definition: unknown, version: string): Readonly<Record<string, unknown>> {
  const versions = listAt(definition, "spec", "versions")
    .filter((each) => scalarStringAt(each, "name") === version)
    .map((each) => ({ ...objectAt(each), served: true, storage: true }));
  return { ...objectAt(definition), spec: { ...objectAt(definition, "spec"), versions } };
}
