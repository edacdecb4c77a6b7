import type { OperatorRole } from "@keelson/aro-api";
import type { AroController } from "../runtime/aro-controller.ts";
import { alertWebhook } from "./alertwebhook/controller.ts";
import { autoSizedNodes } from "./autosizednodes/controller.ts";
import { azureSubnets } from "./azure-subnets/controller.ts";
import { banner } from "./banner/controller.ts";
import { cloudProviderConfig } from "./cloudproviderconfig/controller.ts";
import { clusterOperatorAro } from "./cluster-operator-aro/controller.ts";
import { clusterDnsChecker } from "./clusterdnschecker/controller.ts";
import { cpms } from "./cpms/controller.ts";
import { dnsmasq } from "./dnsmasq/controller.ts";
import { etcHosts } from "./etchosts/controller.ts";
import { genevaLogging } from "./genevalogging/controller.ts";
import { guardrails } from "./guardrails/controller.ts";
import { imageConfig } from "./imageconfig/controller.ts";
import { ingress } from "./ingress/controller.ts";
import { ingressCertificateChecker } from "./ingresscertificatechecker/controller.ts";
import { internetChecker } from "./internet-checker/controller.ts";
import { machine } from "./machine/controller.ts";
import { machineHealthCheckController } from "./machinehealthcheck/controller.ts";
import { machineSet } from "./machineset/controller.ts";
import { monitoring } from "./monitoring/controller.ts";
import { managedUpgradeOperator } from "./muo/controller.ts";
import { networkPolicy } from "./networkpolicy/controller.ts";
import { nodeDrainer } from "./node/controller.ts";
import { previewFeature } from "./preview-feature/controller.ts";
import { pullSecretController } from "./pullsecret/controller.ts";
import { rbac } from "./rbac/controller.ts";
import { rebootPendingController } from "./reboot-pending/controller.ts";
import { routeFix } from "./routefix/controller.ts";
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
