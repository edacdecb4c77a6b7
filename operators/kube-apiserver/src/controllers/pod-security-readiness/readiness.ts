import type { Condition } from "@keelson/controller";
import { type KubeObject, type PodSecurityLevel, podView, violationsOf } from "@keelson/kube";

/** Why a namespace has pods that could not be created under its level. */
export type ReadinessProblem =
  | "Unknown"
  | "Openshift"
  | "RunLevelZero"
  | "DisabledSyncer"
  | "UserSCC"
  /** Its pods could not be judged. */
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

/** What the name and labels of a violating namespace say; undefined where its pods decide. */
export function problemOfNamespace({ metadata }: KubeObject): ReadinessProblem | undefined {
  if (runLevelZero.has(metadata.name)) return "RunLevelZero";
  if (metadata.name.startsWith("openshift")) return "Openshift";
  return metadata.labels?.[syncLabel] === "false" ? "DisabledSyncer" : undefined;
}

/**
 * What the violating pods of a namespace say: those that came by the rights of their users are ones that the syncer
 * cannot know of. Inconclusive where none violates the level: they have changed since.
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

/** Names of namespaces by what is wrong with them, as conditions. */
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
