import { operatorMetric } from "@keelson/operator-kit";

/** Metrics with the names that dashboards and alerts use. */
export const terminationMetrics = operatorMetric((metrics) => ({
  eventTime: metrics.gauge({
    name: "openshift_kube_apiserver_termination_event_time",
    help: "When an API server reached a step of its termination, in seconds of Unix time",
    labels: ["name", "eventName"],
  }),
  count: metrics.counter({
    name: "openshift_kube_apiserver_termination_count",
    help: "How often the pod of an API server was replaced, since this operator started",
    labels: ["name"],
  }),
  lateConnections: metrics.counter({
    name: "openshift_kube_apiserver_lateconnections_count",
    help: "Events of connections that came when load balancers should have known of the end",
    labels: ["name"],
  }),
}));
