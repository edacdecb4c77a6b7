import { type Controller, done, watchFor } from "@keelson/controller";
import { isKubeNotFound, resources } from "@keelson/kube";
import { operatorKey } from "@keelson/operator-kit";
import { namespaces } from "../../config/namespaces.ts";
import { kubeApiServerController, type OperatorContext } from "../../runtime/operator-context.ts";
import {
  countedAnnotation,
  isOfTermination,
  terminationStep,
  uncountedLateConnections,
  withoutDetails,
} from "./termination-events.ts";
import { terminationMetrics } from "./termination-metrics.ts";

const selection = { namespace: namespaces.target };
const operandLabel = "openshift-kube-apiserver";

/**
 * Exports metrics of API server terminations. The status of the current pod does not show them, because each revision runs in a
 * new pod. The terminating API server reports them in Events, which expire after three hours.
 */
export function terminations(): Controller<OperatorContext> {
  /** UID of each pod by name. Terminations are counted only after the start of this process. */
  const present = new Map<string, string>();
  return kubeApiServerController({
    name: "TerminationObserver",
    watches: [
      watchFor(resources.pods, operatorKey, {
        selection,
        where: ({ object }) => object.metadata.labels?.app === operandLabel,
      }),
      watchFor(resources.events, operatorKey, {
        selection,
        strip: withoutDetails,
        where: ({ object }) => isOfTermination(object),
      }),
    ],
    async reconcile({ parts: { api, cache, metrics }, signal }) {
      const { eventTime, count, lateConnections } = terminationMetrics(metrics);
      const pods = cache
        .informer(resources.pods, { selection })
        .list()
        .filter(({ metadata }) => metadata.labels?.app === operandLabel);
      for (const { metadata } of pods) {
        const { name, uid = "", creationTimestamp = "" } = metadata;
        const before = present.get(name);
        present.set(name, uid);
        if (before === undefined || before === uid) continue;
        eventTime.set(unixSeconds(new Date(creationTimestamp)), { name, eventName: "StaticPodRecreated" });
        count.inc({ name });
      }
      const names = new Set(pods.map(({ metadata }) => metadata.name));
      const events = cache.informer(resources.events, { selection, strip: withoutDetails }).list();
      // Events are sorted by time. If several Events have the same reason, the newest Event is used.
      const steps = events
        .flatMap((event) => terminationStep(event) ?? [])
        .filter(({ pod }) => names.has(pod))
        .sort((a, b) => a.at.getTime() - b.at.getTime());
      for (const { pod, step, at } of steps) eventTime.set(unixSeconds(at), { name: pod, eventName: step });
      for (const event of events) {
        const late = uncountedLateConnections(event);
        if (!late) continue;
        const { name, namespace = namespaces.target } = event.metadata;
        const annotations = { [countedAnnotation]: `${late.count}` };
        try {
          await api.mergePatch(resources.events, { name, namespace }, { metadata: { annotations } }, signal);
        } catch (error) {
          // The Event has expired and cannot be marked. Only marked Events are counted, so that an Event is never counted twice.
          if (isKubeNotFound(error)) continue;
          throw error;
        }
        lateConnections.inc({ name: late.name }, late.uncounted);
      }
      return done;
    },
  });
}

function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
