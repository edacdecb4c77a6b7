import type { AlertGroup } from "./alert.ts";

export const serviceAlerts: AlertGroup = {
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
        "The ARO operator does not run, or has the wrong version. It does not repair this cluster, and its conditions are outdated.",
      actions: [
        "`GET kubernetespodlogs` of its pods in `openshift-azure-operator`; a pod that is not scheduled has the reason in its conditions.",
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
        "One of its controllers found a problem that it cannot repair, for example an unreachable host, missing rights of a principal or a foreign security group.",
      actions: [
        "`GET kubernetesobjects?kind=Cluster.aro.openshift.io&name=cluster`: the condition's message has the details.",
        "`ServicePrincipalValid`: the customer must renew the secret or restore the rights.",
        "`InternetReachableFromMaster` and `...Worker`: the message names the hosts that the customer's firewall must allow.",
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
        "A different writer, usually a policy or a pipeline of the customer, replaces the security group each time.",
      actions: [
        "The activity log of the virtual network names the writer. Agree with the customer on a single owner.",
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
        "The certificate should have been renewed weeks ago. Etcd certificates occur only in clusters before 4.9.",
      actions: [
        "An administrative update of the cluster renews the certificates of the API and of ingress. Its error contains the issuer's reason for a rejection.",
        "Etcd: `POST etcdcertificaterenew`.",
      ],
    },
    {
      name: "KeelsonCertificateExpired",
      metric: "certificate.expirationdate",
      by: ["namespace", "name"],
      condition: "< 2",
      forMinutes: 10,
      severity: "critical",
      summary: "The certificate in {{ $labels.namespace }}/{{ $labels.name }} expires in {{ $value }} days.",
      meaning: "After the expiry, clients reject the API server or routes of the default ingress.",
      actions: ["Same as KeelsonCertificateExpiring, immediately."],
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
      actions: ["An administrative update of the cluster writes the Secret."],
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
        "Addresses that must bypass the customer's proxy are missing in `noProxy`. Components of the platform may be unable to reach each other.",
      actions: [
        "The dimension `Message` lists them. The customer must add them to `spec.noProxy` of the Proxy `cluster`.",
      ],
    },
  ],
};
