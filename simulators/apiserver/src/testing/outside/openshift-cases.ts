import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt } from "@keelson/base";
import { applyJsonPatch } from "@keelson/wire-formats";
import { type ApiCaller, Refusal } from "./api-caller.ts";
import { readGoYaml } from "./go-yaml.ts";
import type { DefinitionFile } from "./openshift-definitions.ts";
import { type CreateCase, type OpenshiftSuite, type UpdateCase, withVersion } from "./openshift-suite.ts";

export interface CaseOutcome {
  readonly name: string;
  /** Reason for the failure. Undefined if the case passed. */
  readonly failure?: string;
}

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const patientMs = 5_000;
const pauseMs = 50;

type Document = Readonly<Record<string, unknown>>;

/** Runs the cases of a suite with one of its manifests. If the server rejects the definition, all cases fail with that error. */
export async function runSuite(
  api: ApiCaller,
  suite: OpenshiftSuite,
  manifest: DefinitionFile,
): Promise<readonly CaseOutcome[]> {
  const title = `${suite.file} ${manifest.name}`;
  const cases = [
    ...suite.onCreate.map((each) => ({ each, run: () => create(each) })),
    ...suite.onUpdate.map((each) => ({ each, run: () => update(each) })),
  ];
  const definition = withVersion(manifest.definition, suite.version);
  const name = scalarStringAt(definition, "metadata", "name");
  const resource = new CaseResource(api, definition, suite.version);
  const outcome = ({ each }: (typeof cases)[number], failure?: unknown): CaseOutcome => ({
    name: `${title}: ${each.name}`,
    ...(failure === undefined
      ? {}
      : { failure: failure instanceof Error ? failure.message : String(failure) }),
  });
  try {
    await api.call("POST", definitions, definition);
    await eventually(() => resource.list());
  } catch (error) {
    await api.call("DELETE", `${definitions}/${name}`).catch(() => undefined);
    return cases.map((each) => outcome(each, `the definition is not served: ${String(error)}`));
  }
  const outcomes: CaseOutcome[] = [];
  for (const each of cases) {
    try {
      await each.run();
      outcomes.push(outcome(each));
    } catch (error) {
      outcomes.push(outcome(each, error));
    }
    await resource.deleteAll();
  }
  await api.call("DELETE", `${definitions}/${name}`);
  await eventually(() => expectRefusal(() => api.call("GET", `${definitions}/${name}`), "not found"));
  return outcomes;

  async function create({ initial, expected, expectedError }: CreateCase): Promise<void> {
    const object = documentOf(initial);
    if (expectedError) return expectRefusal(() => resource.create(object), expectedError);
    const made = await resource.create(object);
    expectSame(await resource.get(made), expected);
  }

  async function update(each: UpdateCase): Promise<void> {
    const initial = documentOf(each.initial);
    const isPatched = each.initialCRDPatches.length > 0;
    if (isPatched) {
      const patched = applyJsonPatch(objectAt(manifest.definition), each.initialCRDPatches);
      await resource.define(objectAt(patched, "spec"), "patched");
    }
    let made = await eventually(() => resource.create(isPatched ? marked(initial, "patched") : initial));
    if (initial.status !== undefined) made = await resource.updateStatus({ ...made, status: initial.status });
    if (isPatched) {
      await resource.define(objectAt(definition, "spec"), "restored");
      made = await eventually(() => resource.update(marked(made, "restored")));
      await resource.define(objectAt(definition, "spec"));
    }
    const live = await resource.get(made);
    const { name, namespace, resourceVersion } = objectAt(live, "metadata");
    const wanted = documentOf(each.updated);
    const metadata = { ...objectAt(wanted, "metadata"), name, namespace, resourceVersion };
    if (each.expectedError) {
      return expectRefusal(() => resource.update({ ...wanted, metadata }), each.expectedError);
    }
    const next = await resource.update({ ...wanted, metadata });
    if (wanted.status !== undefined) {
      const change = () => resource.updateStatus({ ...next, status: wanted.status });
      if (each.expectedStatusError) return expectRefusal(change, each.expectedStatusError);
      await change();
    }
    expectSame(await resource.get(made), each.expected);
  }
}

/** Resource of a definition. If it is namespaced, the cases use the namespace `default`. */
class CaseResource {
  readonly #api: ApiCaller;
  readonly #definition: unknown;
  readonly #path: string;

  constructor(api: ApiCaller, definition: unknown, version: string) {
    this.#api = api;
    this.#definition = definition;
    const scope = scalarStringAt(definition, "spec", "scope") === "Namespaced" ? "/namespaces/default" : "";
    const group = scalarStringAt(definition, "spec", "group");
    this.#path = `/apis/${group}/${version}${scope}/${scalarStringAt(definition, "spec", "names", "plural")}`;
  }

  list(): Promise<unknown> {
    return this.#api.call("GET", this.#path);
  }

  async create(object: Document): Promise<Document> {
    return objectAt(await this.#api.call("POST", this.#path, object));
  }

  async get(object: Document): Promise<Document> {
    return objectAt(await this.#api.call("GET", this.#pathOf(object)));
  }

  async update(object: Document): Promise<Document> {
    return objectAt(await this.#api.call("PUT", this.#pathOf(object), object));
  }

  async updateStatus(object: Document): Promise<Document> {
    return objectAt(await this.#api.call("PUT", `${this.#pathOf(object)}/status`, object));
  }

  async deleteAll(): Promise<void> {
    await this.#api.call("DELETE", this.#path);
  }

  /**
   * Replaces the definition's spec. With `mark`, the definition gets an additional field that accepts only the value `mark`. By
   * this field, a case detects that the server uses the new spec.
   */
  async define(spec: Document, mark?: string): Promise<void> {
    const path = `${definitions}/${scalarStringAt(this.#definition, "metadata", "name")}`;
    const live = objectAt(await this.#api.call("GET", path));
    const [first, ...others] = listAt(spec, "versions");
    const schema = objectAt(first, "schema", "openAPIV3Schema");
    const properties = { ...objectAt(schema, "properties"), sentinel: { type: "string", enum: [mark] } };
    const versions = [
      { ...objectAt(first), schema: { openAPIV3Schema: { ...schema, properties } } },
      ...others,
    ];
    await this.#api.call("PUT", path, { ...live, spec: mark ? { ...spec, versions } : spec });
  }

  #pathOf(object: Document): string {
    return `${this.#path}/${scalarStringAt(object, "metadata", "name")}`;
  }
}

function marked(object: Document, mark: string): Document {
  return { ...object, sentinel: mark };
}

function documentOf(yaml: string): Document {
  const document = objectAt(readGoYaml(yaml));
  return {
    ...document,
    metadata: { ...objectAt(document, "metadata"), generateName: "test-", namespace: "default" },
  };
}

/** Metadata fields that the server sets. */
const generated: readonly string[] = [
  "uid",
  "generation",
  "creationTimestamp",
  "resourceVersion",
  "managedFields",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "selfLink",
  "generateName",
  "name",
  "namespace",
];

function expectSame(actual: Document, expectedYaml: string): void {
  const expected = objectAt(readGoYaml(expectedYaml));
  const [found, wanted] = [comparable(actual), comparable(expected)];
  if (isDeepStrictEqual(found, wanted)) return;
  throw new Error(`got ${JSON.stringify(found)}, expected ${JSON.stringify(wanted)}`);
}

function comparable(object: Document): unknown {
  const metadata = Object.entries(objectAt(object, "metadata")).filter(([name]) => !generated.includes(name));
  const whole = { ...object, metadata: Object.fromEntries(metadata) };
  return JSON.parse(JSON.stringify(whole));
}

async function expectRefusal(call: () => Promise<unknown>, part: string): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.message.includes(part)) return;
    throw new Error(`refused with ${JSON.stringify(error.message)}, expected ${JSON.stringify(part)}`);
  }
  throw new Error(`accepted, expected ${JSON.stringify(part)}`);
}

/** Retries rejected calls, because a server applies a changed definition only after a delay. */
async function eventually<T>(call: () => Promise<T>): Promise<T> {
  for (const end = performance.now() + patientMs; ; await delay(pauseMs)) {
    try {
      return await call();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}
