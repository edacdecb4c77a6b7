import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { conditionIsTrue, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt } from "@keelson/base";
import { parse } from "yaml";
import { definitions, refusal } from "../testing/test-definition.ts";
import { TestServer } from "../testing/test-server.ts";

/**
 * Directory with the CustomResourceDefinitions of an OpenShift release, one per file (`payload-manifests/crds` of openshift/api).
 */
const directory = process.env.KEELSON_OPENSHIFT_CRDS;
const files = directory ? readdirSync(directory).filter((name) => /\.ya?ml$/.test(name)) : [];

describe(`the ${files.length} definitions of an OpenShift release`, { skip: files.length === 0 }, () => {
  for (const file of files) {
    test(`${file} becomes established and serves all its versions`, async () => {
      await using server = await TestServer.start();
      const { client } = server.cluster;
      const read = objectAt(parse(await readFile(join(directory ?? "", file), "utf8")));
      const name = scalarStringAt(read, "metadata", "name");
      const metadata = { ...objectAt(read, "metadata"), name };
      const spec = objectAt(read, "spec");
      const made = await client.create(definitions, {
        ...read,
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata,
      });
      assert.ok(conditionIsTrue(made, "Established"), JSON.stringify(made.status));
      for (const version of listAt(spec, "versions").filter((each) => objectAt(each).served === true)) {
        const ref = {
          group: scalarStringAt(spec, "group"),
          version: scalarStringAt(version, "name"),
          resource: scalarStringAt(spec, "names", "plural"),
        };
        assert.deepEqual((await client.list(ref)).items, []);
        const wrong = {
          apiVersion: `${ref.group}/${ref.version}`,
          kind: scalarStringAt(spec, "names", "kind"),
          metadata: {
            name: "wrong",
            ...(scalarStringAt(spec, "scope") === "Namespaced" ? { namespace: "default" } : {}),
          },
          spec: 1,
        };
        const known = objectAt(version, "schema", "openAPIV3Schema", "properties", "spec").type === "object";
        if (known)
          assert.match(await refusal(client.create(ref, wrong)), /spec in body must be of type object/);
      }
    });
  }
});
