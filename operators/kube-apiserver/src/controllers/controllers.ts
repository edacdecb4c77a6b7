import type { Controller } from "@keelson/controller";
import { resources } from "@keelson/kube";
import {
  backingResources,
  configObservation,
  installer,
  nodes,
  OperatorVersions,
  operatorStatus,
  pruner,
  resourceSync,
  revisions,
  SyncRuleSet,
  staticPodInertia,
  staticPodState,
  staticResources,
} from "@keelson/operator-kit";
import { namespaces } from "../namespaces.ts";
import { configObservers } from "../observers/observers.ts";
import type { OperandImages } from "../operand/operand-pod.ts";
import { apiServerPod } from "../operand/static-pod.ts";
import type { OperatorContext } from "../operator-context.ts";
import { auditPolicies } from "./audit-policy/controller.ts";
import { boundTokens } from "./bound-tokens/controller.ts";
import { certificateRotations } from "./certificate-rotation/controller.ts";
import { encryption } from "./encryption/controller.ts";
import { kubeletVersionSkew } from "./kubelet-skew/controller.ts";
import { latencyProfile } from "./latency-profile/controller.ts";
import { nodeKubeconfig } from "./node-kubeconfigs/controller.ts";
import { relatedObjects } from "./related-objects.ts";
import { syncRules } from "./resource-sync/sync-rules.ts";
import { serviceAccountIssuer } from "./service-account-issuer/controller.ts";
import { staticObjects } from "./static-resources/objects.ts";
import { targetConfig } from "./target-config/controller.ts";

export interface ControllersOptions {
  readonly images: OperandImages;
  /** Of the API server: `1.32.9`. */
  readonly operandVersion: string;
}

/** What the operator does, for API servers of one version. */
export function controllersOf({
  images,
  operandVersion,
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
    certificateRotations,
    targetConfig,
    nodeKubeconfig,
    auditPolicies,
    serviceAccountIssuer,
    boundTokens,
    kubeletVersionSkew,
    latencyProfile,
    ...encryption,
    backingResources(pod),
    revisions({ pod }),
    nodes(pod),
    installer({ pod }),
    pruner(pod),
    staticPodState({
      pod,
      versions,
      image: images.operand,
      reached: { operator: version, "kube-apiserver": operandVersion },
    }),
    operatorStatus({ resource, name: "kube-apiserver", versions, relatedObjects, inertia: staticPodInertia }),
  ];
}
