import assert from "node:assert/strict";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { referenceVersion } from "../../kinds/kubernetes-version.ts";
import { type ControlPlane, startControlPlane, startEmbedded } from "../index.ts";
import { TestKubelet } from "../test-kubelet.ts";
import { Api } from "./api.ts";
import { all, type ConformanceCase } from "./case.ts";
import { conformanceCases } from "./cases/index.ts";
import { differences, improvements } from "./differences.ts";
import { post, serviceAccounts } from "./requests.ts";

const assets = process.env.KUBEBUILDER_ASSETS;

/** One black-box suite for every server: the same requests, the same assertions. */
suite("our server", () => startEmbedded(undefined, new TestKubelet()), differences, true);
if (assets)
  suite(
    `kube-apiserver ${referenceVersion} with etcd`,
    () => startControlPlane(assets, { serviceAccounts: true }),
    improvements,
    false,
  );

function suite(
  server: string,
  start: () => Promise<ControlPlane>,
  others: ReadonlyMap<string, string>,
  hasControllers: boolean,
): void {
  describe(server, () => {
    let plane: ControlPlane;
    let count = 0;
    before(async () => {
      plane = await start();
    });
    after(() => plane[Symbol.asyncDispose]());
    for (const [area, cases] of Object.entries(conformanceCases)) {
      for (const each of cases) {
        const skip = each.needsControllers && !hasControllers && "no controller manager runs beside it";
        const why = others.get(each.name);
        const title = `${area}: ${each.name}${why ? ` (differs: ${why})` : ""}`;
        test(title, { skip }, async () => {
          if (why === undefined) return check(plane, each, `case-${++count}`, hasControllers);
          await assert.rejects(
            check(plane, each, `case-${++count}`, hasControllers),
            `${each.name} no longer differs`,
          );
        });
      }
    }
  });
}

test("every difference that is listed is one of a case", () => {
  const names = new Set(Object.values(conformanceCases).flatMap((cases) => cases.map(({ name }) => name)));
  for (const listed of [...differences.keys(), ...improvements.keys()]) assert.ok(names.has(listed), listed);
});

async function check(
  plane: ControlPlane,
  { run }: ConformanceCase,
  namespace: string,
  hasControllers: boolean,
): Promise<void> {
  await using api = new Api(plane, namespace);
  await all(api, [post("/api/v1/namespaces", { metadata: { name: "{ns}" } })]);
  if (!hasControllers) await all(api, [post(serviceAccounts, { metadata: { name: "default" } })]);
  await run(api);
}
