import type { KubeObject } from "@keelson/apiserver";
import { type Condition, conditionStatus } from "../../runtime/conditions.ts";
import { listAt, textAt } from "../../runtime/fields.ts";
import { clusterOperators, type Needs, type OperatorFacts } from "./facts.ts";

export interface OperatorsObserved {
  /** The version that ClusterVersion wants. */
  readonly target: string;
  /** The bootstrap machine runs, or has done its work. */
  readonly controlPlaneManaged: boolean;
  readonly masters: number;
  readonly readyMasters: number;
  readonly readyWorkers: number;
  readonly operators: readonly KubeObject[];
}

export interface OperatorReport {
  readonly name: string;
  readonly conditions: readonly Condition[];
  readonly version: string | undefined;
}

export interface OperatorsPlan {
  /** The report of every operator, changed or not. */
  readonly reports: readonly OperatorReport[];
  /** One of them advanced, and another can after the interval. */
  readonly more: boolean;
}

/**
 * What each cluster operator reports next. Operators roll out one per call, in the order of the table, those
 * whose nodes are missing last; one that is rolled out stays available while enough of its nodes are ready.
 */
export function planClusterOperators(observed: OperatorsObserved): OperatorsPlan {
  const states = clusterOperators.map((facts) => stateOf(facts, observed));
  const candidates = states.filter((state) => !state.rolledOut && state.canStart);
  const next = observed.controlPlaneManaged ? candidates[0] : undefined;
  return {
    reports: states.map((state) => report(state, state === next, observed.target)),
    more: next !== undefined && candidates.length > 1,
  };
}

interface OperatorState {
  readonly facts: OperatorFacts;
  readonly version: string | undefined;
  readonly rolledOut: boolean;
  readonly canStart: boolean;
  readonly healthy: boolean;
}

function stateOf(facts: OperatorFacts, observed: OperatorsObserved): OperatorState {
  const operator = observed.operators.find(({ metadata }) => metadata.name === facts.name);
  const version = operatorVersion(operator);
  return {
    facts,
    version,
    rolledOut: version === observed.target,
    canStart: enoughToStart(facts.needs, observed),
    healthy: enoughToServe(facts.needs, observed),
  };
}

/** All masters, or two workers: routers, registry and console run as two replicas on different nodes. */
function enoughToStart(needs: Needs, { masters, readyMasters, readyWorkers }: OperatorsObserved): boolean {
  return needs === "workers" ? readyWorkers >= 2 : readyMasters >= masters;
}

/** A quorum of masters, or any worker. */
function enoughToServe(needs: Needs, { masters, readyMasters, readyWorkers }: OperatorsObserved): boolean {
  return needs === "workers" ? readyWorkers >= 1 : readyMasters > masters / 2;
}

function report(state: OperatorState, advance: boolean, target: string): OperatorReport {
  const { facts, version } = state;
  const rolledOut = state.rolledOut || advance;
  const installed = version !== undefined || advance;
  const waiting = `Waiting for ${facts.needs === "workers" ? "worker" : "control plane"} nodes to be ready`;
  const available: Condition = !installed
    ? {
        type: "Available",
        status: "False",
        reason: "Installing",
        message: `Working toward version ${target}`,
      }
    : advance || state.healthy
      ? { type: "Available", status: "True", reason: "AsExpected", message: "All is well" }
      : { type: "Available", status: "False", reason: "NodesNotReady", message: waiting };
  const progressing: Condition = rolledOut
    ? {
        type: "Progressing",
        status: "False",
        reason: "AsExpected",
        message: `Version ${target} is rolled out`,
      }
    : {
        type: "Progressing",
        status: "True",
        reason: state.canStart ? "RollingOut" : "NodesNotReady",
        message: state.canStart ? `Working toward version ${target}` : waiting,
      };
  const degraded: Condition =
    installed && available.status === "False"
      ? { type: "Degraded", status: "True", reason: "NodesNotReady", message: waiting }
      : { type: "Degraded", status: "False", reason: "AsExpected", message: "All is well" };
  const upgradeable: Condition = {
    type: "Upgradeable",
    status: "True",
    reason: "AsExpected",
    message: "All is well",
  };
  return {
    name: facts.name,
    conditions: [degraded, progressing, available, upgradeable],
    version: rolledOut ? target : version,
  };
}

/** The version of the operator's own operands that it has rolled out. */
export function operatorVersion(operator: KubeObject | undefined): string | undefined {
  const entry = listAt(operator, "status", "versions").find((each) => textAt(each, "name") === "operator");
  return textAt(entry, "version");
}

/** Available, not progressing and not degraded, at `target`. */
export function hasSettled(operator: KubeObject | undefined, target: string): boolean {
  return (
    operatorVersion(operator) === target &&
    conditionStatus(operator, "Available") === "True" &&
    conditionStatus(operator, "Progressing") === "False" &&
    conditionStatus(operator, "Degraded") === "False"
  );
}
