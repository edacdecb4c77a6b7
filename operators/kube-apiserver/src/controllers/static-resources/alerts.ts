import { namespaces } from "../../config/namespaces.ts";

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly severity: "critical" | "warning" | "info";
  readonly for?: string;
  readonly summary: string;
  readonly description: string;
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * True to omit the static label `namespace`, because the expression's series already have this label or do not belong to a
   * namespace.
   */
  readonly isOfCluster?: boolean;
  /**
   * Name of a different alert that has the runbook to which this alert links. Default: the name of this alert, if it has a
   * runbook.
   */
  readonly runbook?: string;
}

const runbooks = "https://github.com/openshift/runbooks/blob/master/alerts/cluster-kube-apiserver-operator";
const withRunbook = new Set(["KubeAPIDown", "KubeAggregatedAPIErrors", "KubeAPIErrorBudgetBurn"]);

/** Returns a PrometheusRule in the API servers' namespace. */
export function prometheusRule(name: string, groups: readonly object[]) {
  return { metadata: { namespace: namespaces.target, name }, spec: { groups } };
}

export function alertRule({ alert, expr, severity, summary, description, labels, ...rest }: Alert): object {
  const { isOfCluster = false, runbook = withRunbook.has(alert) ? alert : undefined, for: pending } = rest;
  return {
    alert,
    expr,
    ...(pending === undefined ? {} : { for: pending }),
    labels: { ...(isOfCluster ? {} : { namespace: namespaces.target }), severity, ...labels },
    annotations: {
      summary,
      description,
      ...(runbook === undefined ? {} : { runbook_url: `${runbooks}/${runbook}.md` }),
    },
  };
}

const usedApis =
  'sum by (group,version,resource) (rate(apiserver_request_total{system_client!="kube-controller-manager",system_client!="cluster-policy-controller"}[4h]))';

/**
 * Returns the alert rules. `nextMinor` is the next minor version of Kubernetes. An alert fires if clients use APIs that this
 * version removes.
 */
export function alertRules(nextMinor: number) {
  const removed = (matcher: string) =>
    `group by (group,version,resource,removed_release) (apiserver_requested_deprecated_apis{removed_release${matcher}}) * on (group,version,resource) group_left () ${usedApis} > 0`;
  const usage = (alert: string, matcher: string, release: string) =>
    alertRule({
      alert,
      expr: removed(matcher),
      for: "1h",
      severity: "info",
      summary: `An API that ${release} no longer has is used.`,
      description:
        "{{ $labels.group }}.{{ $labels.version }}/{{ $labels.resource }} ends with Kubernetes {{ $labels.removed_release }}; `oc get apirequestcounts {{ $labels.resource }}.{{ $labels.version }}.{{ $labels.group }} -o yaml` says who uses it.",
    });
  const requests = 'sum by(cluster) (rate(apiserver_request_total{job="apiserver"}[10m]))';
  const terminated = 'sum by(cluster) (rate(apiserver_request_terminations_total{job="apiserver"}[10m]))';
  const audit = (metric: string) =>
    `sum by (apiserver,instance)(rate(${metric}{apiserver=~".+-apiserver"}[5m]))`;
  return [
    prometheusRule("api-usage", [
      {
        name: "pre-release-lifecycle",
        rules: [
          usage("APIRemovedInNextReleaseInUse", `="1.${nextMinor}"`, "the next release"),
          usage(
            "APIRemovedInNextEUSReleaseInUse",
            `=~"1.${nextMinor}|1.${nextMinor + 1}"`,
            "the next release with extended support",
          ),
        ],
      },
    ]),
    prometheusRule("audit-errors", [
      {
        name: "apiserver-audit",
        rules: [
          alertRule({
            alert: "AuditLogError",
            expr: `${audit("apiserver_audit_error_total")} / ${audit("apiserver_audit_event_total")} > 0`,
            for: "1m",
            severity: "warning",
            summary:
              "An API server could not write its audit log: the disk is full, or the log was tampered with.",
            description: "Writing to an audit log failed.",
          }),
        ],
      },
    ]),
    prometheusRule("kubernetes-system-apiserver", [
      {
        name: "kubernetes-system-apiserver",
        rules: [
          alertRule({
            alert: "KubeAggregatedAPIErrors",
            isOfCluster: true,
            expr: 'sum by(cluster, instance, name, reason)(increase(aggregator_unavailable_apiservice_total{job="apiserver"}[1m])) > 0',
            for: "10m",
            severity: "warning",
            summary: "An aggregated API has errors.",
            description: "The aggregated API {{ $labels.name }} has {{ $labels.reason }} errors.",
          }),
          alertRule({
            alert: "KubeAggregatedAPIDown",
            isOfCluster: true,
            expr: '(1 - max by(name, namespace, cluster)(avg_over_time(aggregator_unavailable_apiservice{job="apiserver"}[10m]))) * 100 < 85',
            for: "15m",
            severity: "warning",
            summary: "An aggregated API is down.",
            description: "{{ $labels.name }} was available for {{ $value | humanize }} % of ten minutes.",
          }),
          alertRule({
            alert: "KubeAPIDown",
            isOfCluster: true,
            expr: 'absent(up{job="apiserver"} == 1)',
            for: "15m",
            severity: "critical",
            summary: "No API server is monitored any more.",
            description: "Prometheus finds no API server.",
          }),
          alertRule({
            alert: "KubeAPITerminatedRequests",
            isOfCluster: true,
            expr: `${terminated} / (${requests} + ${terminated}) > 0.20`,
            for: "5m",
            severity: "warning",
            summary: "An API server ends many requests itself.",
            description: "{{ $value | humanizePercentage }} of the requests were ended by the API server.",
          }),
        ],
      },
    ]),
    prometheusRule("kube-apiserver-requests", [
      {
        name: "apiserver-requests-in-flight",
        rules: [
          {
            record: "cluster:apiserver_current_inflight_requests:sum:max_over_time:2m",
            expr: 'max_over_time(sum(apiserver_current_inflight_requests{apiserver=~"openshift-apiserver|kube-apiserver"}) by (apiserver,requestKind)[2m:])',
          },
        ],
      },
    ]),
    prometheusRule("podsecurity", [
      {
        name: "pod-security-violation",
        rules: ["", "!"].map((isPlatform) =>
          alertRule({
            alert: "PodSecurityViolation",
            expr: `sum(increase(pod_security_evaluations_total{decision="deny",mode="audit",resource="pod",ocp_namespace${isPlatform}=""}[1d])) by (policy_level, ocp_namespace) > 0`,
            severity: "info",
            summary: `${isPlatform ? "Platform" : "Users'"} workloads do not match the pod security profile of their namespaces.`,
            description: 'A workload did not match the profile "{{ $labels.policy_level }}".',
          }),
        ),
      },
    ]),
  ];
}
