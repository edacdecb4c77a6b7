import assert from "node:assert/strict";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { referenceVersion } from "@keelson/kinds";
import type { Agent } from "undici";
import { agentFor, type ControlPlane, startControlPlane, startEmbedded } from "../index.ts";
import { TestKubelet } from "../test-kubelet.ts";
import { Api } from "./api.ts";
import { all, type ConformanceCase } from "./case.ts";
import { conformanceCases } from "./cases/index.ts";
import { differences, improvements } from "./differences.ts";
import { post, serviceAccounts } from "./requests.ts";

const assets = process.env.KUBEBUILDER_ASSETS;

/** Black-box test suite. Every server gets the same requests and assertions. */
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
    let administrator: Agent;
    let count = 0;
    before(async () => {
      plane = await start();
      administrator = agentFor(plane.authority, plane.admin);
    });
    after(async () => {
      await administrator?.destroy();
      await plane?.[Symbol.asyncDispose]();
    });
    const run = async (each: ConformanceCase): Promise<void> => {
      await using api = new Api(plane, `case-${++count}`, administrator);
      await check(api, each, hasControllers);
    };
    for (const [area, cases] of Object.entries(conformanceCases)) {
      for (const each of cases) {
        const skip = each.needsControllers && !hasControllers && "requires a controller manager";
        const why = others.get(each.name);
        const title = `${area}: ${each.name}${why ? ` (differs: ${why})` : ""}`;
        test(title, { skip }, async () => {
          if (why === undefined) return run(each);
          await assert.rejects(run(each), `${each.name} no longer differs`);
        });
      }
    }
  });
}

test("every listed difference has a conformance case", () => {
  const names = new Set(Object.values(conformanceCases).flatMap((cases) => cases.map(({ name }) => name)));
  for (const listed of [...differences.keys(), ...improvements.keys()]) assert.ok(names.has(listed), listed);
});

async function check(api: Api, { run }: ConformanceCase, hasControllers: boolean): Promise<void> {
  await all(api, [post("/api/v1/namespaces", { metadata: { name: "{ns}" } })]);
  if (!hasControllers) await all(api, [post(serviceAccounts, { metadata: { name: "default" } })]);
  await run(api);
}
