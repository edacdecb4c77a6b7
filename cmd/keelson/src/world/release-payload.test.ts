import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, stringsAt } from "@keelson/base";
import type { Pace } from "../state/pace.ts";
import { admitCommand } from "./admit-command.ts";
import { minReadyOf } from "./operator-commands.ts";
import { releasePayload } from "./release-payload.ts";

const release = { version: "4.19.24", kubernetesVersion: "1.32.9" };

/** Returns the arguments of the kube-apiserver operator in a release. */
function argumentsAt(pace: Pace): readonly string[] {
  const manifests = releasePayload("shared", "keelson:test", pace)?.(release) ?? [];
  const deployment = manifests.find(
    ({ object: { kind, metadata } }) => kind === "Deployment" && metadata.name === "kube-apiserver-operator",
  );
  const [container] = listAt(deployment?.object, "spec", "template", "spec", "containers");
  return stringsAt(container, "args");
}

test("masters of a rollout follow without delay at the fast pace, and as in the original at the recorded pace", () => {
  for (const [pace, minReadyMs] of [
    [{ kind: "fast" }, 0],
    [{ kind: "recorded", factor: 0.02 }, undefined],
  ] as const) {
    const admitted = admitCommand({
      programs: ["kube-apiserver-operator operator"],
      program: "cluster-kube-apiserver-operator",
      args: ["operator", ...argumentsAt(pace)],
    });
    assert.ok("args" in admitted, JSON.stringify(admitted));
    assert.equal(minReadyOf(admitted.args.slice(1)).minReadyMs, minReadyMs, pace.kind);
  }
});
