import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { basename } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { isPlainObject, type JsonObject, type JsonValue } from "@keelson/base";
import {
  BodySchemas,
  type DocumentedExample,
  listApiDocuments,
  readDocument,
  readExamples,
} from "@keelson/openapi";
import { location as ourLocation } from "./testing/cluster-request.ts";
import { ExampleService } from "./testing/example-service.ts";
import type { TestResponse } from "./testing/test-client.ts";

/**
 * Directory with the published API documents. Undefined if the environment variable is not set. For the project's own documents
 * and the published ones, the tests send every example request over HTTPS. The service must accept the request, and all responses
 * must match the documents.
 */
const publishedDirectory = process.env.KEELSON_PUBLISHED_DOCUMENTS;
const ours = listApiDocuments().map(({ file }) => file);
const published = publishedDirectory ? globSync(`${publishedDirectory}/*/*/redhatopenshift.json`).sort() : [];

/**
 * Published cluster examples that violate the published rules. The service must reject the original example and accept the
 * corrected example.
 */
const contradictions: readonly {
  readonly since: string;
  readonly until?: string;
  /** Methods of the rejected requests: PUT for a creation, PATCH for a change of the cluster. */
  readonly of: readonly ("PUT" | "PATCH")[];
  readonly target: string;
  readonly because: string;
  /** Corrected values by path. `undefined` removes a value. */
  readonly instead: Readonly<Record<string, JsonValue | undefined>>;
}[] = [
  {
    since: "2020-04-30",
    of: ["PUT", "PATCH"],
    target: "properties.servicePrincipalProfile.clientId",
    because: '"clientId" is no UUID',
    instead: { "properties.servicePrincipalProfile.clientId": randomUUID() },
  },
  {
    since: "2020-04-30",
    of: ["PUT", "PATCH"],
    target: "properties.workerProfiles['worker'].vmSize",
    because: "machines of the size Standard_D2s_v3 are too small for workers",
    instead: { "properties.workerProfiles.0.vmSize": "Standard_D4s_v3" },
  },
  {
    since: "2020-04-30",
    of: ["PATCH"],
    target: "properties.clusterProfile.resourceGroupId",
    because: "clusters have it in lower case, and its case may not change either",
    instead: {
      "properties.clusterProfile.resourceGroupId":
        "/subscriptions/00000000-0000-0000-0000-000000000000/resourcegroups/clusterresourcegroup",
    },
  },
  {
    since: "2021-09-01-preview",
    of: ["PUT"],
    target: "properties.workerProfiles['worker'].encryptionAtHost",
    because: "it must be given, for defaults come after the rules",
    instead: { "properties.workerProfiles.0.encryptionAtHost": "Disabled" },
  },
  {
    since: "2021-09-01-preview",
    until: "2021-09-01-preview",
    of: ["PUT"],
    target: "properties.masterProfile.encryptionAtHost",
    because: "it must be given, for defaults come after the rules",
    instead: { "properties.masterProfile.encryptionAtHost": "Disabled" },
  },
  {
    since: "2021-09-01-preview",
    until: "2021-09-01-preview",
    of: ["PUT"],
    target: "properties.networkProfile.SoftwareDefinedNetwork",
    because: "this version alone has it, and asks for it",
    instead: { "properties.networkProfile.softwareDefinedNetwork": "OVNKubernetes" },
  },
  {
    since: "2024-08-12-preview",
    until: "2024-08-12-preview",
    of: ["PUT", "PATCH"],
    target: "properties.servicePrincipalProfile",
    because: "a cluster has either a service principal or managed identities",
    instead: { identity: undefined },
  },
  {
    since: "2024-08-12-preview",
    until: "2024-08-12-preview",
    of: ["PUT", "PATCH"],
    target: "properties.platformWorkloadIdentityProfile.PlatformWorkloadIdentities[].resourceID",
    because: "its one managed identity has no ID, for an operator without a name",
    instead: { "properties.platformWorkloadIdentityProfile": undefined },
  },
  ...["identity", "properties.platformWorkloadIdentityProfile"].map((path) => ({
    since: "2024-08-12-preview",
    until: "2024-08-12-preview",
    of: ["PATCH"] as const,
    target: path,
    because: "a cluster with a service principal stays one",
    instead: { [path]: undefined },
  })),
];

/** Published examples that a tool filled with random letters. No service could accept them. */
const gibberish: Readonly<Record<string, { readonly code: string; readonly target?: string }>> = {
  "OpenShiftClusters_CreateOrUpdate_MaximumSet_Gen.json": { code: "InvalidParameter", target: "location" },
  "OpenShiftClusters_Update_MaximumSet_Gen.json": {
    code: "InvalidParameter",
    target: "properties.servicePrincipalProfile",
  },
  "OpenShiftVersions_List_MaximumSet_Gen.json": { code: "InvalidLocation" },
  "OpenShiftVersions_Get_MaximumSet_Gen.json": { code: "InvalidLocation" },
  "PlatformWorkloadIdentityRoleSets_List_MaximumSet_Gen.json": { code: "InvalidLocation" },
  "PlatformWorkloadIdentityRoleSet_Get_MaximumSet_Gen.json": { code: "InvalidLocation" },
};

/**
 * Errors in the published documents by version. The value is the error message that a correct response causes in the validation.
 */
const forgotten: Readonly<Record<string, string>> = {
  // These versions return the property, as all later versions do.
  "2021-09-01-preview": "must NOT have additional properties (systemData)",
  "2022-04-01": "must NOT have additional properties (systemData)",
};

describe("the project's examples", { timeout: 900_000 }, () => {
  const service = serviceIn(ourLocation);
  for (const file of ours) {
    const { version, examples, creation, check } = read(file);
    for (const example of examples) {
      test(`${version} ${basename(example.file)} is accepted`, async () => {
        await service().prepare(example, creation);
        check(example, await service().carryOut(example));
      });
    }
  }
});

if (publishedDirectory) {
  test(`there are published documents in ${publishedDirectory}`, () => assert.ok(published.length > 0));
}

describe("the published examples", { skip: !publishedDirectory, timeout: 900_000 }, () => {
  const service = serviceIn("location");
  for (const file of published) {
    const { version, examples, creation: asPublished, schemas, check } = read(file);
    const creation = asPublished && corrected(version, asPublished);
    for (const example of examples) {
      const { operationId, responses } = example;
      const name = basename(example.file);
      test(`${version} ${name} has responses that match the project's document`, () => {
        assert.ok(responses.size > 0);
        for (const [status, body] of responses)
          assert.deepEqual(faultsOf(schemas.response(operationId, status)(body), name), [], `${status}`);
      });
      const refusal = gibberish[name];
      if (refusal) {
        test(`${version} ${name} is refused: it is gibberish`, async () => {
          await service().prepare(example, undefined);
          const { status, error } = await service().send(example);
          assert.deepEqual([status, error.code], [400, refusal.code]);
          assert.equal(error.target, refusal.target);
        });
        continue;
      }
      const wrong = contradictionsOf(version, example);
      if (wrong.length > 0) {
        const targets = wrong.map(({ target }) => target).sort();
        test(`${version} ${name} is rejected unchanged, for ${targets.join(", ")}`, async () => {
          await service().prepare(example, creation);
          assert.deepEqual(targetsOf(await service().send(example)), targets);
        });
      }
      test(`${version} ${name} is accepted${wrong.length > 0 ? " with sensible values" : ""}`, async () => {
        await service().prepare(example, creation);
        check(example, await service().carryOut(corrected(version, example)));
      });
    }
  }
});

/** Returns a service for the tests of this suite. */
function serviceIn(location: string): () => ExampleService {
  let started: ExampleService | undefined;
  before(async () => {
    started = await ExampleService.start(location, {
      versions: ["4.14.40", "4.16.30", "4.17.10"],
      operators: ["aro-operator", "machine-api"],
    });
  });
  after(() => started?.[Symbol.asyncDispose]());
  return () => {
    if (!started) throw new Error("the service is not started");
    return started;
  };
}

function read(file: string) {
  const document = readDocument(file);
  const { version } = document.info;
  const examples = readExamples(file);
  const schemas = BodySchemas.ofVersion(version);
  const theirs = ours.includes(file) ? undefined : new BodySchemas(document);
  return {
    version,
    examples,
    creation: examples.find(
      ({ operationId, file }) =>
        operationId === "OpenShiftClusters_CreateOrUpdate" && !(basename(file) in gibberish),
    ),
    schemas,
    check({ operationId, responses }: DocumentedExample, given: readonly TestResponse[]): void {
      for (const { status, text, json } of given) {
        assert.ok(status < 300 && responses.has(status), `${status} ${text}`);
        const body = text === "" ? undefined : json;
        assert.deepEqual(schemas.response(operationId, status)(body), [], text);
        const faults = theirs?.response(operationId, status)(body) ?? [];
        const fault = forgotten[version];
        assert.deepEqual(
          faults.filter((each) => !fault || !each.endsWith(fault)),
          [],
          text,
        );
      }
    },
  };
}

/** Differences in IDs are ignored, because the IDs in generated examples are not valid. */
function faultsOf(faults: readonly string[], example: string): readonly string[] {
  if (!example.endsWith("_Gen.json")) return faults;
  return faults.filter((fault) => !/: must match format "(arm-id|uuid)"|\/key1170: must /.test(fault));
}

function contradictionsOf(version: string, { method, body }: DocumentedExample) {
  if (body === undefined) return [];
  return contradictions.filter(
    ({ since, until = version, of }) =>
      since <= version && version <= until && of.some((each) => each === method),
  );
}

/** Returns the targets of all errors, in alphabetical order. */
function targetsOf({ status, text, error }: TestResponse): readonly string[] {
  assert.equal(status, 400, text);
  const all: readonly unknown[] = Array.isArray(error.details) ? error.details : [error];
  return all.map((each) => String(Object(each).target)).sort();
}

function corrected(version: string, example: DocumentedExample): DocumentedExample {
  const { body } = example;
  if (!isPlainObject(body)) return example;
  const values = contradictionsOf(version, example).flatMap(({ instead }) => Object.entries(instead));
  return {
    ...example,
    body: values.reduce<JsonValue>(
      (value, [path, given]) => withValue(value, path.split("."), given),
      body as JsonObject,
    ),
  };
}

function withValue(
  value: JsonValue,
  [name = "", ...rest]: readonly string[],
  given: JsonValue | undefined,
): JsonValue {
  if (Array.isArray(value))
    return value.map((each: JsonValue, index) =>
      String(index) === name ? withValue(each, rest, given) : each,
    );
  const members = isPlainObject(value) ? (value as JsonObject) : {};
  const { [name]: member, ...others } = members;
  if (rest.length > 0) return { ...members, [name]: withValue(member ?? {}, rest, given) };
  return given === undefined ? others : { ...others, [name]: given };
}
