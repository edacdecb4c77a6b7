import type { Controller } from "@keelson/controller";
import { resources } from "@keelson/kube";
import {
  backingResources,
  configObservation,
  guard,
  installer,
  latencyProfile,
  missingStaticPods,
  nodes,
  type OperatorLog,
  OperatorVersions,
  operatorLogLevel,
  operatorStatus,
  pendingInstallers,
  pruner,
  resourceSync,
  revisions,
  rolloutTimelineCondition,
  SyncRuleSet,
  staleConditions,
  startupMonitors,
  staticPodInertia,
  staticPodState,
  staticResources,
  unsupportedConfigOverrides,
} from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";
import { isSingleMaster, missingPodToleranceMs } from "../observers/infrastructure.ts";
import { latencyArguments } from "../observers/latency-profile.ts";
import { configObservers } from "../observers/observers.ts";
import { hasItsPlugins } from "../operand/kms-plugins.ts";
import type { OperandImages } from "../operand/operand-pod.ts";
import { apiServerPod } from "../operand/static-pod.ts";
import type { OperatorContext } from "../runtime/operator-context.ts";
import { auditPolicies } from "./audit-policy/controller.ts";
import { boundTokens } from "./bound-tokens/controller.ts";
import { certificateRotations } from "./certificate-rotation/controller.ts";
import { rotationBase } from "./certificate-rotation/rotation-base.ts";
import { configurationMetrics } from "./config-metrics/controller.ts";
import { connectivityCheckTargets } from "./connectivity-checks/controller.ts";
import { encryption } from "./encryption/controller.ts";
import { featureGateEvents } from "./feature-gates/controller.ts";
import { highCpuAlert } from "./high-cpu-alert/controller.ts";
import { ignoredConfig } from "./ignored-config/controller.ts";
import { kubeletVersionSkew } from "./kubelet-skew/controller.ts";
import { nodeKubeconfig } from "./node-kubeconfigs/controller.ts";
import { podSecurityReadiness } from "./pod-security-readiness/controller.ts";
import { relatedObjects } from "./related-objects.ts";
import { syncRules } from "./resource-sync/sync-rules.ts";
import { sccVolumes } from "./scc-volumes/controller.ts";
import { serviceAccountIssuer } from "./service-account-issuer/controller.ts";
import { staticObjects } from "./static-resources/objects.ts";
import { targetConfig } from "./target-config/controller.ts";
import { terminations } from "./terminations/controller.ts";
import { webhookSupportability } from "./webhooks/controller.ts";
import { dialWebhook } from "./webhooks/dial-webhook.ts";

/** Condition types of earlier releases. A stale condition would keep the ClusterOperator degraded. */
const obsoleteConditions = [
  "Available",
  "Progressing",
  "MutatingAdmissionWebhookConfigurationDegraded",
  "ValidatingAdmissionWebhookConfigurationDegraded",
  "CRDConversionWebhookConfigurationDegraded",
  "VirtualResourceAdmissionDegraded",
];

export interface ControllersOptions {
  readonly images: OperandImages;
  /** Version of the API server, for example `1.32.9`. */
  readonly operandVersion: string;
  /** Log of this process. Its level is set in the cluster's configuration. */
  readonly log: OperatorLog;
  /** Pause in ms between namespaces in the pod security evaluation. Default: 500 ms. */
  readonly namespacePauseMs?: number;
  /** Time in ms that a node's API server must be ready before the API server of the next node may stop. Default: 30 s. */
  readonly minReadyMs?: number | undefined;
}

/** Returns the controllers for API servers of one version. */
export function controllersOf({
  images,
  operandVersion,
  log,
  namespacePauseMs,
  minReadyMs,
}: ControllersOptions): readonly Controller<OperatorContext>[] {
  const { version } = images;
  const resource = resources.kubeApiServers;
  const rules = new SyncRuleSet();
  rules.set("fixed", syncRules);
  const { config, managed, operator, target } = namespaces;
  const pod = apiServerPod(images.operator);
  const versions = new OperatorVersions();
  versions.set({ "raw-internal": version });
  return [
    configObservation({ resource, observers: configObservers(version), syncRules: rules }),
    resourceSync({ resource, rules, namespaces: [config, managed, operator, target] }),
    staticResources({
      resource,
      name: "KubeAPIServerStaticResources",
      objects: staticObjects(Number(operandVersion.split(".")[1]) + 1),
      namespaces: [target, operator],
    }),
    featureGateEvents(version),
    certificateRotations(version),
    rotationBase,
    targetConfig,
    ignoredConfig,
    nodeKubeconfig,
    auditPolicies,
    serviceAccountIssuer,
    boundTokens,
    kubeletVersionSkew,
    webhookSupportability(dialWebhook),
    sccVolumes,
    highCpuAlert,
    podSecurityReadiness(namespacePauseMs),
    terminations(),
    connectivityCheckTargets(),
    configurationMetrics,
    latencyProfile({ pod, configName: "config", arguments: latencyArguments }),
    ...encryption(version),
    backingResources(pod),
    revisions({ pod, isWhole: (...given) => hasItsPlugins(images, ...given) }),
    nodes(pod),
    installer({ pod, minReadyMs }),
    rolloutTimelineCondition(pod),
    pruner(pod),
    pendingInstallers(pod),
    startupMonitors(pod),
    missingStaticPods({ pod, toleratedMs: ({ parts }) => missingPodToleranceMs(parts.cache) }),
    guard({
      pod,
      readiness: { port: 6443, path: "readyz" },
      when: ({ parts }) => !isSingleMaster(parts.cache),
    }),
    staticPodState({
      pod,
      versions,
      image: images.operand,
      reached: { operator: version, "kube-apiserver": operandVersion },
    }),
    unsupportedConfigOverrides(resource),
    operatorLogLevel(resource, log),
    staleConditions(resource, obsoleteConditions),
    operatorStatus({ resource, name: "kube-apiserver", versions, relatedObjects, inertia: staticPodInertia }),
  ];
}
