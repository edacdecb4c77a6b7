import type { Controller } from "@keelson/controller";
import { buildControllers } from "../apis/builds/build-controllers.ts";
import { imageImports } from "../apis/images/import-controller.ts";
import { namespaceDefaults } from "../apis/namespaces/namespace-defaults.ts";
import { router } from "../apis/routes/router.ts";
import { serviceCa } from "../apis/service-ca/service-ca.ts";
import { templateInstances } from "../apis/template-instances/instantiate.ts";
import type { Cluster } from "../runtime/cluster.ts";
import { apiServerConfig } from "./api-server-config/controller.ts";
import { authentication } from "./authentication/controller.ts";
import { bootstrap } from "./bootstrap/controller.ts";
import { clusterOperatorsController } from "./cluster-operators/controller.ts";
import { clusterVersion } from "./cluster-version/controller.ts";
import { consoleOperator } from "./console/controller.ts";
import { controlPlaneMachineSets } from "./control-plane-machine-sets/controller.ts";
import { controlPlanePods } from "./control-plane-pods/controller.ts";
import { credentialsRequests } from "./credentials-requests/controller.ts";
import { etcd } from "./etcd/controller.ts";
import { featureGates } from "./feature-gates/controller.ts";
import { ingressOperator } from "./ingress/controller.ts";
import { containerRuntimeConfigs, kubeletConfigs } from "./kubelet-configs/controller.ts";
import { machineApprover } from "./machine-approver/controller.ts";
import { machineConfigDaemon } from "./machine-config-daemon/controller.ts";
import { machineConfigPools } from "./machine-config-pools/controller.ts";
import { machineConfigTemplates } from "./machine-configs/controller.ts";
import { machineHealthChecks } from "./machine-health-checks/controller.ts";
import { machineSets } from "./machine-sets/controller.ts";
import { machines } from "./machines/controller.ts";
import { monitoring } from "./monitoring/controller.ts";
import { nodes } from "./nodes/controller.ts";
import { operatorHub } from "./operator-hub/controller.ts";
import { registryPullSecrets } from "./registry-pull-secrets/controller.ts";
import { releaseManifests } from "./release-manifests/controller.ts";
import { staticPodOperators } from "./static-pod-operators/controller.ts";
import { storageVersionMigrator } from "./storage-version-migrator/controller.ts";
import { trustedCa } from "./trusted-ca/controller.ts";

/** All controllers of a simulated cluster except the workload controllers. */
export const controllers: readonly Controller<Cluster>[] = [
  nodes,
  machineApprover,
  clusterOperatorsController,
  clusterVersion,
  releaseManifests,
  bootstrap,
  featureGates,
  etcd,
  authentication,
  trustedCa,
  machines,
  machineSets,
  machineHealthChecks,
  controlPlaneMachineSets,
  controlPlanePods,
  staticPodOperators,
  apiServerConfig,
  storageVersionMigrator,
  machineConfigTemplates,
  kubeletConfigs,
  containerRuntimeConfigs,
  machineConfigPools,
  machineConfigDaemon,
  credentialsRequests,
  ingressOperator,
  router,
  imageImports,
  ...buildControllers,
  namespaceDefaults,
  templateInstances,
  ...serviceCa,
  consoleOperator,
  monitoring,
  operatorHub,
  registryPullSecrets,
];
