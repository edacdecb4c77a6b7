import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import fc from "fast-check";
import { type NodeStatus, newNodeStatus } from "../static-pod/node-status.ts";
import { type InstallPlan, planInstall } from "./plan-install.ts";

const names = ["a", "b", "c"] as const;
type Name = (typeof names)[number];

/** Incident that happens between two calls of the controller. */
type Incident =
  | { readonly kind: "reconcile" }
  /** The operator crashes between planning and execution of a step. */
  | { readonly kind: "operatorCrash" }
  | { readonly kind: "newRevision" }
  | { readonly kind: "time"; readonly seconds: number }
  | {
      readonly kind:
        | "installerEnds"
        | "installerFails"
        | "installerVanishes"
        | "kubelet"
        | "podDies"
        | "podFails"
        | "podReady"
        | "podUnready";
      readonly node: Name;
    };

const onNode = (kind: Exclude<Incident["kind"], "reconcile" | "operatorCrash" | "newRevision" | "time">) =>
  fc.constantFrom(...names).map((node): Incident => ({ kind, node }));
const incident: fc.Arbitrary<Incident> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Incident>({ kind: "reconcile" }) },
  fc.constant<Incident>({ kind: "operatorCrash" }),
  fc.constant<Incident>({ kind: "newRevision" }),
  fc.integer({ min: 1, max: 900 }).map((seconds): Incident => ({ kind: "time", seconds })),
  ...(
    [
      "installerEnds",
      "installerFails",
      "installerVanishes",
      "kubelet",
      "podDies",
      "podFails",
      "podReady",
      "podUnready",
    ] as const
  ).map(onNode),
);

interface Operand {
  readonly revision: number;
  readonly phase: "Running" | "Failed";
  readonly readyAtMs?: number;
  readonly endedAtMs: number;
}

/** Simulates three nodes with their kubelets and installers. Objects have only the fields that the plan reads. */
class Simulation {
  latest = 1;
  nowMs = Date.parse("2026-11-24T12:00:00Z");
  nodes: NodeStatus[] = names.map((name) => newNodeStatus(name, undefined));
  readonly installers = new Map<
    string,
    { readonly node: string; readonly revision: number; phase: string }
  >();
  readonly operands = new Map<string, Operand>();
  /** Revisions that installers wrote to the nodes' disks. */
  readonly disks = new Map<string, number>();

  plan(): InstallPlan {
    return planInstall({
      nodes: this.nodes,
      latest: this.latest,
      namespace: "ns",
      operandOf: (node) => this.#operand(node),
      installerOf: (name) => {
        const installer = this.installers.get(name);
        return installer && pod(name, {}, { phase: installer.phase });
      },
      hasStartupMonitor: false,
      minReadyMs: 30_000,
      now: new Date(this.nowMs),
    });
  }

  reconcile(): InstallPlan {
    const plan = this.plan();
    if (plan.kind === "install") {
      const { nodeName, targetRevision } = plan.node;
      const unready = names.filter((name) => this.operands.get(name)?.readyAtMs === undefined);
      assert.ok(
        unready.length === 0 || unready.some((name) => name === nodeName),
        `the ready pod of ${nodeName} is restarted while ${unready.join(" and ")} is not ready`,
      );
      this.installers.set(plan.installer, { node: nodeName, revision: targetRevision, phase: "Running" });
    }
    if (plan.kind === "update") {
      const before = this.nodes.find(({ nodeName }) => nodeName === plan.status.nodeName);
      assert.ok(
        before && plan.status.currentRevision >= before.currentRevision,
        "a revision never goes down",
      );
      assert.ok(plan.status.targetRevision <= this.latest);
      if (plan.obsolete !== undefined) this.installers.delete(plan.obsolete);
      this.nodes = this.nodes.map((each) => (each === before ? plan.status : each));
    }
    const changing = this.nodes.filter(({ targetRevision }) => targetRevision !== 0);
    assert.ok(changing.length <= 1, "two nodes are in transition");
    return plan;
  }

  happen(incident: Incident): void {
    if (incident.kind === "reconcile") this.reconcile();
    else if (incident.kind === "operatorCrash") this.plan();
    else if (incident.kind === "newRevision") this.latest += 1;
    else if (incident.kind === "time") this.nowMs += incident.seconds * 1_000;
    else this.#onNode(incident.kind, incident.node);
  }

  /** Removes all faults, so that pending work succeeds. */
  heal(): void {
    for (const { node } of this.installers.values()) this.#onNode("installerEnds", node);
    for (const name of names) {
      this.#onNode("kubelet", name);
      this.#onNode("podReady", name);
    }
  }

  #onNode(kind: Incident["kind"], node: string): void {
    const running = [...this.installers].find(([, each]) => each.node === node && each.phase === "Running");
    const operand = this.operands.get(node);
    const disk = this.disks.get(node);
    if (kind === "installerEnds" && running) {
      running[1].phase = "Succeeded";
      this.disks.set(node, running[1].revision);
    }
    if (kind === "installerFails" && running) running[1].phase = "Failed";
    if (kind === "installerVanishes" && running) this.installers.delete(running[0]);
    if (
      kind === "kubelet" &&
      disk !== undefined &&
      (operand?.revision !== disk || operand.phase === "Failed")
    )
      this.operands.set(node, { revision: disk, phase: "Running", endedAtMs: this.nowMs });
    if (kind === "podDies") this.operands.delete(node);
    if (kind === "podFails" && operand)
      this.operands.set(node, { revision: operand.revision, phase: "Failed", endedAtMs: this.nowMs });
    if (kind === "podUnready" && operand) {
      const { readyAtMs: _, ...unready } = operand;
      this.operands.set(node, unready);
    }
    if (kind === "podReady" && operand?.phase === "Running" && operand.readyAtMs === undefined)
      this.operands.set(node, { ...operand, readyAtMs: this.nowMs });
  }

  #operand(node: string): KubeObject | undefined {
    const operand = this.operands.get(node);
    if (!operand) return undefined;
    const { revision, phase, readyAtMs, endedAtMs } = operand;
    const lastTransitionTime = new Date(readyAtMs ?? 0).toISOString();
    const conditions = readyAtMs === undefined ? [] : [{ type: "Ready", status: "True", lastTransitionTime }];
    const terminated = { finishedAt: new Date(endedAtMs).toISOString() };
    const containerStatuses = phase === "Failed" ? [{ name: "operand", state: { terminated } }] : [];
    return pod(`operand-${node}`, { revision: `${revision}` }, { phase, conditions, containerStatuses });
  }
}

function pod(name: string, labels: Record<string, string>, status: object): KubeObject {
  const metadata = { name, namespace: "ns", labels, creationTimestamp: "2026-11-24T00:00:00Z" };
  return { apiVersion: "v1", kind: "Pod", metadata, status };
}

test("whatever crashes, one node is in transition at a time, and in the end all are at the latest revision", () => {
  fc.assert(
    fc.property(fc.array(incident, { maxLength: 80 }), (incidents) => {
      const simulation = new Simulation();
      for (const each of incidents) simulation.happen(each);
      for (let round = 0; round < 60; round++) {
        simulation.heal();
        const plan = simulation.reconcile();
        if (plan.kind === "wait") simulation.nowMs += plan.afterMs;
      }
      const { latest, nodes } = simulation;
      assert.deepEqual(
        nodes.map(({ currentRevision, targetRevision }) => [currentRevision, targetRevision]),
        names.map(() => [latest, 0]),
      );
      assert.equal(simulation.reconcile().kind, "idle");
    }),
    { numRuns: 300 },
  );
});

test("a rollout that a node's lost readiness interrupts continues after the node is ready again", () => {
  const simulation = new Simulation();
  for (let step = 0; step < 60; step++) {
    const plan = simulation.reconcile();
    if (plan.kind === "wait") simulation.nowMs += plan.afterMs;
    simulation.heal();
  }
  simulation.latest += 1;
  const updatedNodes = () =>
    simulation.nodes.filter((each) => each.currentRevision === simulation.latest).length;
  for (let step = 0; step < 60 && updatedNodes() === 0; step++) {
    const plan = simulation.reconcile();
    if (plan.kind === "wait") simulation.nowMs += plan.afterMs;
    if (updatedNodes() === 0) simulation.heal();
  }
  const updated = simulation.nodes.find((each) => each.currentRevision === simulation.latest);
  assert.ok(updated);
  simulation.happen({ kind: "podUnready", node: updated.nodeName as Name });
  simulation.nowMs += 60_000;
  for (let step = 0; step < 5; step++) assert.equal(simulation.reconcile().kind, "idle");
  for (let step = 0; step < 60; step++) {
    simulation.heal();
    const plan = simulation.reconcile();
    if (plan.kind === "wait") simulation.nowMs += plan.afterMs;
  }
  assert.ok(simulation.nodes.every(({ currentRevision }) => currentRevision === simulation.latest));
});

test("a node is only taken while the others are ready, or are not served by it anyway", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), (rounds) => {
      const simulation = new Simulation();
      const rollOut = (check: () => void) => {
        for (let step = 0; step < 60; step++) {
          const plan = simulation.reconcile();
          check();
          if (plan.kind === "wait") simulation.nowMs += plan.afterMs;
          simulation.heal();
        }
      };
      rollOut(() => undefined);
      for (let round = 0; round < rounds; round++) {
        simulation.latest += 1;
        rollOut(() => {
          const ready = [...simulation.operands.values()].filter(({ readyAtMs }) => readyAtMs !== undefined);
          assert.ok(ready.length >= 2);
        });
      }
      assert.ok(simulation.nodes.every(({ currentRevision }) => currentRevision === simulation.latest));
    }),
  );
});
