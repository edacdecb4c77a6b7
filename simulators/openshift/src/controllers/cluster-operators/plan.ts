import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";
import type { Condition } from "@keelson/controller";
import { conditionStatus } from "@keelson/kube";
import { conditionOf } from "../../base/conditions.ts";
import { clusterOperators, machineConfigOperator, type Needs, type OperatorFacts } from "./facts.ts";

/** Fault that degrades an operator. */
export interface OperatorFault {
  readonly operator: string;
  readonly reason: string;
  readonly message: string;
  readonly unavailable: boolean;
}

export interface OperatorsObserved {
  /** Target version of the ClusterVersion. */
  readonly target: string;
  /** True if the bootstrap machine runs or has completed its work. */
  readonly controlPlaneManaged: boolean;
  readonly masters: number;
  readonly readyMasters: number;
  readonly readyWorkers: number;
  readonly operators: readonly KubeObject[];
  /**
   * True if all control plane machines run the operating system of the target version. Until then, the machine-config operator
   * does not complete its update.
   */
  readonly machineConfigRolledOut?: boolean;
  /** Errors of pools that cannot render or apply their configuration. */
  readonly degradedPools?: readonly string[];
  readonly faults?: readonly OperatorFault[];
  /** False during the interval between two operator rollouts. Default: true. */
  readonly mayAdvance?: boolean;
  /**
   * ClusterOperators that real operators manage. Real operators roll out independently, and the plan contains no reports for
   * them.
   */
  readonly ownedByOthers?: ReadonlySet<string>;
}

export interface OperatorReport {
  readonly name: string;
  readonly conditions: readonly Condition[];
  readonly version: string | undefined;
}

export interface OperatorsPlan {
  /** Reports of all simulated operators, including unchanged ones. */
  readonly reports: readonly OperatorReport[];
  /** True if a further operator can advance after the interval. */
  readonly more: boolean;
  /** True if this plan completes an operator's rollout. */
  readonly advanced: boolean;
  /** Name of the operator that rolls out next. Undefined if no operator is waiting. */
  readonly turn: string | undefined;
}

/**
 * Computes the next status of each cluster operator.
 *
 * Operators roll out one at a time in table order. Operators without enough nodes roll out last. An update needs two calls per
 * operator: the first sets Progressing, the second completes it. The machine-config operator updates after all others. An
 * operator stays available while enough of its nodes are ready.
 */
export function planClusterOperators(observed: OperatorsObserved): OperatorsPlan {
  const states = clusterOperators.map((facts) => stateOf(facts, observed));
  const candidates = states
    .filter((state) => !state.ownedByOthers && !state.rolledOut && state.canStart)
    .toSorted((a, b) => Number(isUpdatedLast(a)) - Number(isUpdatedLast(b)));
  const turn = observed.controlPlaneManaged ? candidates[0] : undefined;
  const others = states.filter((state) => state.ownedByOthers);
  const held =
    turn !== undefined && (isHeld(turn, observed) || (isUpdatedLast(turn) && !others.every(isAtTarget)));
  const mayAdvance = observed.mayAdvance ?? true;
  const advances = turn !== undefined && !held && mayAdvance && (turn.version === undefined || turn.begun);
  return {
    reports: states
      .filter((state) => !state.ownedByOthers)
      .map((state) =>
        report(state, {
          turn: state === turn,
          advances: advances && state === turn,
          target: observed.target,
        }),
      ),
    more: turn !== undefined && !held && (!advances || candidates.length > 1),
    advanced: advances,
    turn: turn?.facts.name,
  };
}

interface OperatorState {
  readonly facts: OperatorFacts;
  readonly version: string | undefined;
  readonly rolledOut: boolean;
  readonly canStart: boolean;
  readonly healthy: boolean;
  /** True if the operator already reports progress towards the target. */
  readonly begun: boolean;
  readonly fault: OperatorFault | undefined;
  readonly ownedByOthers: boolean;
}

function stateOf(facts: OperatorFacts, observed: OperatorsObserved): OperatorState {
  const operator = observed.operators.find(({ metadata }) => metadata.name === facts.name);
  const version = operatorVersion(operator);
  const [degraded] = observed.degradedPools ?? [];
  const poolFault =
    facts.name === machineConfigOperator && degraded !== undefined && version !== undefined
      ? { operator: facts.name, reason: "RequiredPoolsFailed", message: degraded, unavailable: false }
      : undefined;
  return {
    facts,
    version,
    rolledOut: version === observed.target,
    canStart: enoughToStart(facts.needs, observed),
    healthy: enoughToServe(facts.needs, observed),
    begun: conditionOf(operator, "Progressing").message === workingToward(observed.target),
    fault: observed.faults?.find((fault) => fault.operator === facts.name) ?? poolFault,
    ownedByOthers: observed.ownedByOthers?.has(facts.name) ?? false,
  };
}

function isAtTarget({ rolledOut }: OperatorState): boolean {
  return rolledOut;
}

function isUpdatedLast({ facts, version }: OperatorState): boolean {
  return version !== undefined && facts.name === machineConfigOperator;
}

function isHeld({ facts, fault, version, begun }: OperatorState, observed: OperatorsObserved): boolean {
  if (fault) return true;
  const reboots = facts.name === machineConfigOperator && version !== undefined && begun;
  return reboots && observed.machineConfigRolledOut === false;
}

/**
 * True if enough nodes are ready for a rollout: all masters or two workers. Two workers are needed because router, registry and
 * console have two replicas on different nodes.
 */
function enoughToStart(needs: Needs, { masters, readyMasters, readyWorkers }: OperatorsObserved): boolean {
  return needs === "workers" ? readyWorkers >= 2 : readyMasters >= masters;
}

/** True if enough nodes are ready for availability: a quorum of masters or one worker. */
function enoughToServe(needs: Needs, { masters, readyMasters, readyWorkers }: OperatorsObserved): boolean {
  return needs === "workers" ? readyWorkers >= 1 : readyMasters > masters / 2;
}

interface Move {
  readonly turn: boolean;
  readonly advances: boolean;
  readonly target: string;
}

function report(state: OperatorState, { turn, advances, target }: Move): OperatorReport {
  const { facts, version, fault } = state;
  const rolledOut = state.rolledOut || advances;
  const installed = version !== undefined || advances;
  const waiting = `Waiting for ${facts.needs === "workers" ? "worker" : "control plane"} nodes to be ready`;
  const asExpected = (type: string, status: Condition["status"], message = "All is well"): Condition => ({
    type,
    status,
    reason: "AsExpected",
    message,
  });
  const available = (): Condition => {
    if (!installed)
      return { ...asExpected("Available", "False", workingToward(target)), reason: "Installing" };
    if (fault?.unavailable)
      return { type: "Available", status: "False", reason: fault.reason, message: fault.message };
    if (advances || state.healthy) return asExpected("Available", "True");
    return { type: "Available", status: "False", reason: "NodesNotReady", message: waiting };
  };
  const progressing = (): Condition => {
    if (rolledOut) return asExpected("Progressing", "False", `Version ${target} is rolled out`);
    if (installed && !turn && !state.begun)
      return asExpected("Progressing", "False", `Version ${version} is rolled out`);
    return {
      type: "Progressing",
      status: "True",
      reason: state.canStart ? "RollingOut" : "NodesNotReady",
      message: state.canStart ? workingToward(target) : waiting,
    };
  };
  const degraded = (): Condition => {
    if (fault) return { type: "Degraded", status: "True", reason: fault.reason, message: fault.message };
    if (installed && !advances && !state.healthy)
      return { type: "Degraded", status: "True", reason: "NodesNotReady", message: waiting };
    return asExpected("Degraded", "False");
  };
  return {
    name: facts.name,
    conditions: [degraded(), progressing(), available(), asExpected("Upgradeable", "True")],
    version: rolledOut ? target : version,
  };
}

function workingToward(target: string): string {
  return `Working toward version ${target}`;
}

/** Returns the operator's reported version. Undefined before its first rollout. */
export function operatorVersion(operator: KubeObject | undefined): string | undefined {
  const entry = listAt(operator, "status", "versions").find((each) => stringAt(each, "name") === "operator");
  return stringAt(entry, "version");
}

/** True if the operator is available, not progressing and not degraded at the `target` version. */
export function hasSettled(operator: KubeObject | undefined, target: string): boolean {
  return (
    operatorVersion(operator) === target &&
    conditionStatus(operator, "Available") === "True" &&
    conditionStatus(operator, "Progressing") === "False" &&
    conditionStatus(operator, "Degraded") === "False"
  );
}
