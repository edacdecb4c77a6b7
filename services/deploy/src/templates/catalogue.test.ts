import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { templateFiles, templates } from "./catalogue.ts";

const root = join(import.meta.dirname, "../../../..");

test("the committed templates are those of the code", () => {
  const files = templateFiles();
  const stale = [...files].filter(
    ([file, content]) =>
      !globSync(file, { cwd: root }).length || readFileSync(join(root, file), "utf8") !== content,
  );
  const wayOut = "run make generate and commit what it changes";
  assert.deepEqual(
    stale.map(([file]) => file),
    [],
    wayOut,
  );
  assert.deepEqual(
    globSync("deploy/*.json", { cwd: root }).filter((file) => !files.has(file)),
    [],
    wayOut,
  );
});

for (const { file, parameters } of templates) {
  test(`${file} uses each of its parameters`, () => {
    const text = templateFiles().get(`deploy/${file}.json`) ?? "";
    const unused = Object.keys(parameters).filter((name) => !text.includes(`parameters('${name}')`));
    assert.deepEqual(unused, []);
  });
}

test("alerts on the health of machines count the API's port alone: the portal's ports have no unit behind them", () => {
  const { resources }: { readonly resources: readonly Alert[] } = JSON.parse(
    templateFiles().get("deploy/rp-production.json") ?? "",
  );
  const criteria = resources
    .filter(({ type }) => type === "Microsoft.Insights/metricAlerts")
    .flatMap(({ properties }) => properties.criteria.allOf)
    .filter(({ metricName }) => metricName === "DipAvailability");
  assert.deepEqual(
    criteria.map(({ dimensions }) => dimensions),
    [1, 2].map(() => [{ name: "BackendPort", operator: "Include", values: ["443"] }]),
  );
});

interface Alert {
  readonly type: string;
  readonly properties: {
    readonly criteria: {
      readonly allOf: readonly { readonly metricName: string; readonly dimensions?: object }[];
    };
  };
}
