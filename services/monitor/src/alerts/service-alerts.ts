import type { AlertGroup } from "./alert.ts";

export const serviceAlerts: AlertGroup = {
  name: "keelson-service-parts",
  title: "What the service keeps in clusters",
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
      summary: "Deployment {{ $labels.name }} is not whole.",
      meaning:
        "The ARO operator does not run, or not at the version that it should: nothing is repaired in this cluster, and its conditions are old.",
      actions: [
        "`GET kubernetespodlogs` of its pods in `openshift-azure-operator`; a pod that is not scheduled says why in its conditions.",
        "An administrative update of the cluster deploys it again.",
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
        "One of its controllers found something that it cannot mend: an unreachable host, a principal without its rights, a foreign security group.",
      actions: [
        "`GET kubernetesobjects?kind=Cluster.aro.openshift.io&name=cluster`: the condition's message says what and where.",
        "`ServicePrincipalValid`: the customer renews the secret, or gives the rights back.",
        "`InternetReachableFromMaster` and `...Worker`: the message names the hosts; the customer's firewall lets them through.",
      ],
    },
    {
      name: "KeelsonSubnetsContested",
      metric: "nsg.reconciliations",
      condition: "== 1",
      forMinutes: 20,
      severity: "warning",
      summary: "The operator puts a subnet's security group back again and again.",
      meaning:
        "Another writer, mostly a policy or a pipeline of the customer, replaces the security group each time.",
      actions: [
        "The activity log of the virtual network names who writes it. Agree with the customer who keeps it.",
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
      meaning: "It should have been renewed weeks ago. Etcd's are those of clusters before 4.9.",
      actions: [
        "Certificates of the API and of ingress come with an administrative update of the cluster; its error says what the issuer refused.",
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
      meaning: "From then on clients refuse the API server, or routes of the default ingress.",
      actions: ["As with KeelsonCertificateExpiring, at once."],
    },
    {
      name: "KeelsonCertificateMissing",
      metric: "certificate.secretnotfound",
      by: ["namespace", "name"],
      condition: "== 1",
      forMinutes: 30,
      severity: "warning",
      summary: "Secret {{ $labels.namespace }}/{{ $labels.name }} has no certificate.",
      meaning: "The API server, or ingress, serves a certificate of its own that clients do not know.",
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
      summary: "The cluster-wide proxy is not as the platform needs it.",
      meaning:
        "Addresses that must not go through the customer's proxy are missing in `noProxy`; parts of the platform may not reach each other.",
      actions: [
        "The dimension `Message` lists them; the customer adds them to `spec.noProxy` of the Proxy `cluster`.",
      ],
    },
  ],
};
