import type { OperatorRole } from "@keelson/aro-api";
import type { AroController } from "../runtime/aro-controller.ts";
import { alertWebhook } from "./alertwebhook/controller.ts";
import { autoSizedNodes } from "./auto-sized-nodes/controller.ts";
import { azureSubnets } from "./azure-subnets/controller.ts";
import { banner } from "./banner/controller.ts";
import { cloudProviderConfig } from "./cloud-provider-config/controller.ts";
import { clusterDnsChecker } from "./cluster-dns-checker/controller.ts";
import { clusterOperatorAro } from "./cluster-operator-aro/controller.ts";
import { cpms } from "./cpms/controller.ts";
import { dnsmasq } from "./dnsmasq/controller.ts";
import { etcHosts } from "./etc-hosts/controller.ts";
import { genevaLogging } from "./geneva-logging/controller.ts";
import { guardrails } from "./guard-rails/controller.ts";
import { imageConfig } from "./image-config/controller.ts";
import { ingressCertificateChecker } from "./ingress-certificate-checker/controller.ts";
import { ingress } from "./ingress-controller-aro/controller.ts";
import { internetChecker } from "./internet-checker/controller.ts";
import { machine } from "./machine/controller.ts";
import { machineHealthCheckController } from "./machine-health-check/controller.ts";
import { machineSet } from "./machine-set/controller.ts";
import { managedUpgradeOperator } from "./managed-upgrade-operator/controller.ts";
import { monitoring } from "./monitoring/controller.ts";
import { networkPolicy } from "./network-policy/controller.ts";
import { nodeDrainer } from "./node/controller.ts";
import { previewFeature } from "./preview-feature/controller.ts";
import { pullSecretController } from "./pull-secret/controller.ts";
import { rbac } from "./rbac/controller.ts";
import { rebootPendingController } from "./reboot-pending/controller.ts";
import { routeFix } from "./route-fix/controller.ts";
import { servicePrincipalChecker } from "./service-principal-checker/controller.ts";
import { storageAccounts } from "./storage-accounts/controller.ts";
import { userWarnings } from "./user-warnings/controller.ts";
import { workaround } from "./workaround/controller.ts";
import { workloadChecker } from "./workload-checker/controller.ts";

/** The controllers of each role. */
export const controllersOf: Readonly<Record<OperatorRole, readonly AroController[]>> = {
  master: [
    alertWebhook,
    autoSizedNodes,
    azureSubnets,
    banner,
    cloudProviderConfig,
    clusterDnsChecker,
    clusterOperatorAro,
    cpms,
    dnsmasq,
    etcHosts,
    genevaLogging,
    guardrails,
    imageConfig,
    ingress,
    ingressCertificateChecker,
    internetChecker(),
    machine,
    machineHealthCheckController,
    machineSet,
    managedUpgradeOperator,
    monitoring,
    networkPolicy,
    nodeDrainer,
    previewFeature,
    pullSecretController,
    rbac,
    rebootPendingController,
    routeFix,
    servicePrincipalChecker,
    storageAccounts,
    userWarnings(),
    workaround,
    workloadChecker,
  ],
  worker: [internetChecker()],
};
