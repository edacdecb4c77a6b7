import type { AlertGroup } from "./alert.ts";

export const componentAlerts: AlertGroup = {
  name: "keelson-service-parts",
  title: "Components of the service in clusters",
  collectors: [
    "emitAroOperatorHeartbeat",
    "emitAroOperatorConditions",
    "emitNSGReconciliation",
    "emitIngressAndAPIServerCertificateExpiry",
    "emitEtcdCertificateExpiry",
    "emitCWPStatus",
  ],
  alerts: [
    {
      name: "KeelsonOperatorDown",
      metric: "arooperator.heartbeat",
      by: ["name"],
      condition: "== 0",
      forMinutes: 20,
      severity: "warning",
      summary: "Deployment {{ $labels.name }} is not fully available.",
      meaning:
        "The ARO operator does not run, or runs in the wrong version. It does not repair the cluster, and the conditions that it reports are outdated.",
      actions: [
        "Read the logs of the operator's pods in `openshift-azure-operator` with `GET kubernetespodlogs`. If a pod is not scheduled, its conditions contain the reason.",
        "An administrative update of the cluster deploys the operator again.",
      ],
    },
    {
      name: "KeelsonOperatorCondition",
      metric: "arooperator.conditions",
      where: { type: '!~".*ControllerProgressing"' },
      except: [
        {
          type: '=~"DefaultClusterDNS|GuardRailsStatus|ManagedUpgradeOperatorStatus|PlatformWorkloadsReady"',
          status: '="True"',
        },
        { type: '=~"RebootPending|UserActionRequired"', status: '="False"' },
      ],
      by: ["type", "status"],
      condition: "== 1",
      forMinutes: 60,
      severity: "warning",
      summary: "The ARO operator reports {{ $labels.type }}={{ $labels.status }}.",
      meaning:
        "A controller of the ARO operator found a problem that it cannot repair. Examples are an unreachable host, missing rights of a principal, and a security group that does not belong to the cluster.",
      actions: [
        "Run `GET kubernetesobjects?kind=Cluster.aro.openshift.io&name=cluster`. The message of the condition contains the details.",
        "For `ServicePrincipalValid`, the customer must renew the client secret or restore the rights of the service principal.",
        "For `InternetReachableFromMaster` and `InternetReachableFromWorker`, the message names the hosts that the customer's firewall must allow.",
      ],
    },
    {
      name: "KeelsonSubnetsContested",
      metric: "nsg.reconciliations",
      condition: "== 1",
      forMinutes: 20,
      severity: "warning",
      summary: "The operator repeatedly restores a subnet's security group.",
      meaning:
        "After each repair, a writer outside the service replaces the security group again. The writer is usually an Azure policy or a pipeline of the customer.",
      actions: [
        "The activity log of the virtual network names the writer. Agree with the customer that only one writer, the operator or this writer, sets the security group.",
      ],
    },
    {
      name: "KeelsonCertificateExpiring",
      metric: "certificate.expirationdate",
      by: ["namespace", "name"],
      condition: "< 21",
      forMinutes: 60,
      severity: "warning",
      summary: "The certificate in {{ $labels.namespace }}/{{ $labels.name }} expires in {{ $value }} days.",
      meaning:
        "The service should have renewed the certificate weeks ago. The metric includes etcd certificates only for OpenShift versions before 4.9.",
      actions: [
        "Run an administrative update of the cluster, which renews the certificates of the API server and the ingress. If the certificate issuer rejects the request, the error of the update contains the reason.",
        "For an etcd certificate, run `POST etcdcertificaterenew`.",
      ],
    },
    {
      name: "KeelsonCertificateExpired",
      metric: "certificate.expirationdate",
      by: ["namespace", "name"],
      condition: "< 2",
      forMinutes: 10,
      severity: "critical",
      summary:
        "The certificate in {{ $labels.namespace }}/{{ $labels.name }} has expired or expires in less than two days ({{ $value }} days left).",
      meaning:
        "When the certificate has expired, clients reject connections to the API server or to routes of the default ingress.",
      actions: ["Follow the steps of KeelsonCertificateExpiring immediately."],
    },
    {
      name: "KeelsonCertificateMissing",
      metric: "certificate.secretnotfound",
      by: ["namespace", "name"],
      condition: "== 1",
      forMinutes: 30,
      severity: "warning",
      summary: "Secret {{ $labels.namespace }}/{{ $labels.name }} has no certificate.",
      meaning: "The API server or ingress serves a self-signed certificate that clients do not trust.",
      actions: ["Run an administrative update of the cluster, which writes the Secret."],
    },
    {
      name: "KeelsonProxyIncomplete",
      metric: "clusterWideProxy.status",
      where: { status: '="true"' },
      by: ["Message"],
      condition: "== 1",
      forMinutes: 60,
      severity: "warning",
      summary: "The configuration of the cluster-wide proxy is incomplete.",
      meaning:
        "Addresses that must bypass the customer's proxy are missing in `noProxy`. Components of the platform may therefore be unable to connect to each other.",
      actions: [
        "The dimension `Message` lists the missing addresses. The customer must add them to `spec.noProxy` of the Proxy object `cluster`.",
      ],
    },
  ],
};
