import type { Condition } from "@keelson/controller";
import { type KubeObject, type PodSecurityLevel, podView, violationsOf } from "@keelson/kube";

/** Reason why pods of a namespace violate the level of the namespace. */
export type ReadinessProblem =
  | "Unknown"
  | "Openshift"
  | "RunLevelZero"
  | "DisabledSyncer"
  | "UserSCC"
  /** The pods could not be evaluated. */
  | "Inconclusive";

const problems: readonly ReadinessProblem[] = [
  "Unknown",
  "Openshift",
  "RunLevelZero",
  "DisabledSyncer",
  "UserSCC",
  "Inconclusive",
];
const runLevelZero = new Set(["default", "kube-system", "kube-public", "kube-node-lease"]);
const syncLabel = "security.openshift.io/scc.podSecurityLabelSync";
const subjectAnnotation = "security.openshift.io/validated-scc-subject-type";

export const readinessConditionTypes = problems.map(conditionType);

/** Returns the problem that the name or labels of a violating namespace identify. `undefined` if the pods must be evaluated. */
export function problemOfNamespace({ metadata }: KubeObject): ReadinessProblem | undefined {
  if (runLevelZero.has(metadata.name)) return "RunLevelZero";
  if (metadata.name.startsWith("openshift")) return "Openshift";
  return metadata.labels?.[syncLabel] === "false" ? "DisabledSyncer" : undefined;
}

/**
 * Returns the problems of a namespace according to its violating pods. The syncer ignores the permissions of users. Its label may
 * therefore be too strict for pods that were admitted because of a user's permissions. If no pod violates the level, the pods
 * have changed since the dry run, and the result is Inconclusive.
 */
export function problemsOfPods(
  pods: readonly KubeObject[],
  level: PodSecurityLevel,
): readonly ReadinessProblem[] {
  const violating = pods.filter(
    ({ metadata, spec }) => violationsOf({ level, minor: "latest" }, podView(metadata, spec)).length > 0,
  );
  if (violating.length === 0) return ["Inconclusive"];
  const ofUsers = violating.filter(({ metadata }) => metadata.annotations?.[subjectAnnotation] === "user");
  return [
    ...(ofUsers.length > 0 ? (["UserSCC"] as const) : []),
    ...(ofUsers.length < violating.length ? (["Unknown"] as const) : []),
  ];
}

/** Returns one condition per problem, with the names of the affected namespaces. */
export function readinessConditions(
  found: ReadonlyMap<string, readonly ReadinessProblem[]>,
): readonly Condition[] {
  return problems.map((problem) => {
    const type = conditionType(problem);
    const names = [...found].filter(([, each]) => each.includes(problem)).map(([name]) => name);
    if (names.length === 0) return { type, status: "False", reason: "ExpectedReason" };
    const list = `[${names.sort().join(" ")}]`;
    return problem === "Inconclusive"
      ? {
          type,
          status: "True",
          reason: "PSViolationDecisionInconclusive",
          message: `Could not evaluate violations for namespaces: ${list}`,
        }
      : {
          type,
          status: "True",
          reason: "PSViolationsDetected",
          message: `Violations detected in namespaces: ${list}`,
        };
  });
}

function conditionType(problem: ReadinessProblem): string {
  return `PodSecurity${problem}EvaluationConditionsDetected`;
}
