import { operatorMetric } from "@keelson/operator-kit";

/** Metrics of terminations. Dashboards and alerts use their names. */
export const terminationMetrics = operatorMetric((metrics) => ({
  eventTime: metrics.gauge({
    name: "openshift_kube_apiserver_termination_event_time",
    help: "Time at which an API server reached a termination step, in Unix seconds",
    labels: ["name", "eventName"],
  }),
  count: metrics.counter({
    name: "openshift_kube_apiserver_termination_count",
    help: "Replacements of an API server's pod since the start of this operator",
    labels: ["name"],
  }),
  lateConnections: metrics.counter({
    name: "openshift_kube_apiserver_lateconnections_count",
    help: "Events of connections after the load balancers should have removed the API server",
    labels: ["name"],
  }),
}));
