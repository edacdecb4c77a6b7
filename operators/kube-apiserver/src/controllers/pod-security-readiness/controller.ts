import { listAt, messageOf, stringAt } from "@keelson/base";
import type { Controller } from "@keelson/controller";
import { isConflict, isKubeNotFound, type KubeApi, type KubeObject, resources } from "@keelson/kube";
import { kubeApiServerController, type OperatorContext } from "../../runtime/operator-context.ts";
import { levelToTry } from "./level-to-try.ts";
import {
  problemOfNamespace,
  problemsOfPods,
  type ReadinessProblem,
  readinessConditions,
  readinessConditionTypes,
} from "./readiness.ts";

const enforceLabel = "pod-security.kubernetes.io/enforce";
const fieldManager = "pod-security-readiness-controller";
const roundMs = 4 * 3_600_000;
/** Pause in ms between the evaluations of two namespaces. It limits the load in clusters with ten thousand namespaces. */
const defaultPauseMs = 500;

/** Evaluation of all namespaces. Each reconcile evaluates one namespace. A restart begins a new evaluation. */
interface Round {
  readonly left: KubeObject[];
  readonly found: Map<string, readonly ReadinessProblem[]>;
}

/** Finds namespaces that would reject their existing pods if pod security were enforced. The controller sends only dry runs. */
export function podSecurityReadiness(pauseMs = defaultPauseMs): Controller<OperatorContext> {
  let round: Round | undefined;
  let nextMs = 0;
  return kubeApiServerController({
    name: "PodSecurityReadinessController",
    conditions: readinessConditionTypes,
    watches: [],
    async reconcile({ configuration, parts: { api, clock }, signal, logger }) {
      const waitMs = nextMs - clock.monotonicMs();
      if (waitMs > 0) return { conditions: reported(configuration), requeueAfterMs: waitMs };
      round ??= { left: [...(await unlabelled(api, signal))], found: new Map() };
      const namespace = round.left.shift();
      if (namespace) {
        const { name } = namespace.metadata;
        const problems = await problemsOf(api, namespace, signal).catch(
          async (error: unknown): Promise<readonly ReadinessProblem[]> => {
            signal.throwIfAborted();
            if (isKubeNotFound(error)) return [];
            if (isConflict(error)) return problemsOfChanged(api, name, signal);
            logger.info({ namespace: name, error: messageOf(error) }, "a namespace could not be evaluated");
            return ["Inconclusive"];
          },
        );
        round.found.set(name, problems);
      }
      const isDone = round.left.length === 0;
      const conditions = isDone ? readinessConditions(round.found) : reported(configuration);
      const requeueAfterMs = isDone ? roundMs : pauseMs;
      nextMs = clock.monotonicMs() + requeueAfterMs;
      if (isDone) round = undefined;
      return { conditions, requeueAfterMs };
    },
  });
}

async function unlabelled(api: KubeApi, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const { items } = await api.list(resources.namespaces, { labelSelector: `!${enforceLabel}` }, signal);
  return items;
}

/**
 * Returns the problem of a namespace after its dry run conflicted with the field manager that owns the enforce label. A namespace
 * that now enforces a level, or no longer exists, has no problem. Any other namespace is Inconclusive.
 */
async function problemsOfChanged(
  api: KubeApi,
  name: string,
  signal: AbortSignal,
): Promise<readonly ReadinessProblem[]> {
  const live = await api.find(resources.namespaces, { name }, signal);
  return live && live.metadata.labels?.[enforceLabel] === undefined ? ["Inconclusive"] : [];
}

async function problemsOf(
  api: KubeApi,
  namespace: KubeObject,
  signal: AbortSignal,
): Promise<readonly ReadinessProblem[]> {
  const { name } = namespace.metadata;
  const level = levelToTry(namespace);
  const object = {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels: { [enforceLabel]: level } },
  };
  const { warnings } = await api.dryRunApply(resources.namespaces, object, signal, { fieldManager });
  if (warnings.length === 0) return [];
  const problem = problemOfNamespace(namespace);
  if (problem) return [problem];
  const pods = await api.list(resources.pods, { namespace: name }, signal);
  return problemsOfPods(pods.items, level);
}

/**
 * Returns the conditions of the last complete evaluation. These conditions stay in the status until the current evaluation is
 * complete.
 */
function reported(configuration: KubeObject) {
  return listAt(configuration, "status", "conditions").flatMap((each) => {
    const type = stringAt(each, "type") ?? "";
    const status = stringAt(each, "status");
    if (!readinessConditionTypes.includes(type) || (status !== "True" && status !== "False")) return [];
    const [reason, message] = [stringAt(each, "reason"), stringAt(each, "message")];
    return [
      {
        type,
        status,
        ...(reason === undefined ? {} : { reason }),
        ...(message === undefined ? {} : { message }),
      } as const,
    ];
  });
}
