import type { KubeObject } from "@keelson/kube";
import type { CertificateRotationOptions, CertificateSubject, RotationRow } from "@keelson/operator-kit";
import { type FeatureGates, isEnabled } from "../config/feature-gates.ts";
import { loadBalancerHostname, serviceHostnames } from "./serving-hostnames.ts";

/** Objects that contain the hostnames for server certificates. */
export interface HostnameSources {
  readonly network: KubeObject | undefined;
  readonly infrastructure: KubeObject | undefined;
}

export interface RotationPeriods {
  readonly monthMs: number;
  readonly yearMs: number;
  readonly tenMonthsMs: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Validity of the certificates that the installer issues. The operator never shortens this validity. */
const tenYearsMs = 3_650 * dayMs;
const eightYearsMs = 2_920 * dayMs;

export const defaultPeriods: RotationPeriods = {
  monthMs: 30 * dayMs,
  yearMs: 365 * dayMs,
  tenMonthsMs: 292 * dayMs,
};

/** Rotation periods with the feature gate ShortCertRotation. */
const shortPeriods: RotationPeriods = {
  monthMs: 2 * hourMs,
  yearMs: 3 * hourMs,
  tenMonthsMs: 2.5 * hourMs,
};

/**
 * Returns the rotations with normal periods, and a function that returns the rotations with the periods of the cluster's feature
 * gates. Normal periods also apply while `gatesOf` returns no gates.
 */
export function gatedRotationRows<Context>(
  sources: (context: Context) => HostnameSources,
  gatesOf: (context: Context) => FeatureGates | undefined,
): Required<Pick<CertificateRotationOptions<Context>, "rows" | "currentRows">> {
  const rows = rotationRows(sources);
  const shortRows = rotationRows(sources, shortPeriods);
  const isShort = (gates: FeatureGates | undefined) =>
    gates !== undefined && isEnabled(gates, "ShortCertRotation");
  return { rows, currentRows: (context) => (isShort(gatesOf(context)) ? shortRows : rows) };
}

const operator = "openshift-kube-apiserver-operator";
const operand = "openshift-kube-apiserver";
const managed = "openshift-config-managed";

/**
 * Returns the rotations of all certificates that the operator issues (openshift/cluster-kube-apiserver-operator
 * pkg/operator/certrotationcontroller, branch release-4.22).
 */
export function rotationRows<Context>(
  sources: (context: Context) => HostnameSources,
  periods: RotationPeriods = defaultPeriods,
): readonly RotationRow<Context>[] {
  const { monthMs, yearMs, tenMonthsMs } = periods;
  const monthly = { validityMs: monthMs, refreshMs: monthMs / 2 };
  const forever = { validityMs: tenYearsMs, refreshMs: eightYearsMs };
  const authority = (
    name: string,
    bundle: string,
    period: { readonly validityMs: number; readonly refreshMs: number },
    whom: string,
  ) => ({
    component: "kube-apiserver",
    signer: { namespace: operator, name, ...period, description: `Authority of ${whom}.` },
    bundle: { namespace: operator, name: bundle, description: `What verifies ${whom}.` },
  });
  const client = (commonName: string, ...organizations: readonly string[]) => {
    return (): CertificateSubject => ({ usage: "client", commonName, organizations });
  };
  const server = (hostnames: (context: Context) => readonly string[]) => {
    return (context: Context): CertificateSubject => ({ usage: "server", hostnames: hostnames(context) });
  };

  const aggregator = authority(
    "aggregator-client-signer",
    "kube-apiserver-aggregator-client-ca",
    monthly,
    "the API server as a client of aggregated API servers",
  );
  const kubelet = authority(
    "kube-apiserver-to-kubelet-signer",
    "kube-apiserver-to-kubelet-client-ca",
    { validityMs: yearMs, refreshMs: tenMonthsMs },
    "the API server as a client of kubelets",
  );
  const localhost = authority(
    "localhost-serving-signer",
    "localhost-serving-ca",
    forever,
    "the API server at localhost",
  );
  const serviceNetwork = authority(
    "service-network-serving-signer",
    "service-network-serving-ca",
    forever,
    "the API server on the service network",
  );
  const loadBalancer = authority(
    "loadbalancer-serving-signer",
    "loadbalancer-serving-ca",
    forever,
    "the API server behind its load balancers",
  );
  const recovery = authority(
    "localhost-recovery-serving-signer",
    "localhost-recovery-serving-ca",
    forever,
    "the API server for recovery on its own node",
  );
  const controlPlane = authority(
    "kube-control-plane-signer",
    "kube-control-plane-signer-ca",
    { validityMs: 2 * monthMs, refreshMs: monthMs },
    "clients in the control plane",
  );
  const nodeAdmin = authority(
    "node-system-admin-signer",
    "node-system-admin-ca",
    { validityMs: 3 * yearMs, refreshMs: 3 * tenMonthsMs },
    "administrators on control plane nodes",
  );
  const controlPlaneClient = (
    name: string,
    namespace: string,
    secret: string,
    subject: () => CertificateSubject,
    whom: string,
  ): RotationRow<Context> => ({
    name,
    ...controlPlane,
    target: { namespace, name: secret, ...monthly, description: `Client certificate of ${whom}.`, subject },
  });

  return [
    {
      name: "AggregatorProxyClientCert",
      ...aggregator,
      bundle: { ...aggregator.bundle, namespace: managed },
      target: {
        namespace: operand,
        name: "aggregator-client",
        ...monthly,
        description: "Client certificate of the API server for aggregated API servers.",
        subject: client("system:openshift-aggregator"),
      },
    },
    {
      name: "KubeAPIServerToKubeletClientCert",
      ...kubelet,
      target: {
        namespace: operand,
        name: "kubelet-client",
        ...monthly,
        description: "Client certificate of the API server for kubelets.",
        subject: client("system:kube-apiserver", "kube-master"),
      },
    },
    {
      name: "LocalhostServing",
      ...localhost,
      target: {
        namespace: operand,
        name: "localhost-serving-cert-certkey",
        ...monthly,
        description: "Serving certificate at localhost.",
        subject: server(() => ["localhost", "127.0.0.1"]),
      },
    },
    {
      name: "ServiceNetworkServing",
      ...serviceNetwork,
      target: {
        namespace: operand,
        name: "service-network-serving-certkey",
        ...monthly,
        description: "Serving certificate on the service network.",
        subject: server((context) => serviceHostnames(sources(context).network)),
      },
    },
    {
      name: "ExternalLoadBalancerServing",
      ...loadBalancer,
      target: {
        namespace: operand,
        name: "external-loadbalancer-serving-certkey",
        ...monthly,
        description: "Serving certificate behind the external load balancer.",
        subject: server((context) => [loadBalancerHostname(sources(context).infrastructure, "apiServerURL")]),
      },
    },
    {
      name: "InternalLoadBalancerServing",
      ...loadBalancer,
      target: {
        namespace: operand,
        name: "internal-loadbalancer-serving-certkey",
        ...monthly,
        description: "Serving certificate behind the internal load balancer.",
        subject: server((context) => [
          loadBalancerHostname(sources(context).infrastructure, "apiServerInternalURI"),
        ]),
      },
    },
    {
      name: "LocalhostRecoveryServing",
      ...recovery,
      target: {
        namespace: operand,
        name: "localhost-recovery-serving-certkey",
        ...forever,
        description: "Serving certificate for recovery on its own node.",
        subject: server(() => ["localhost-recovery"]),
      },
    },
    controlPlaneClient(
      "KubeControllerManagerClient",
      managed,
      "kube-controller-manager-client-cert-key",
      client("system:kube-controller-manager"),
      "the controller manager",
    ),
    controlPlaneClient(
      "KubeSchedulerClient",
      managed,
      "kube-scheduler-client-cert-key",
      client("system:kube-scheduler"),
      "the scheduler",
    ),
    controlPlaneClient(
      "ControlPlaneNodeAdminClient",
      operand,
      "control-plane-node-admin-client-cert-key",
      client("system:control-plane-node-admin", "system:masters"),
      "a control plane node's own programs",
    ),
    controlPlaneClient(
      "CheckEndpointsClient",
      operand,
      "check-endpoints-client-cert-key",
      client("system:serviceaccount:openshift-kube-apiserver:check-endpoints"),
      "the check of endpoints",
    ),
    {
      name: "NodeSystemAdminClient",
      ...nodeAdmin,
      target: {
        namespace: operator,
        name: "node-system-admin-client",
        validityMs: 2 * yearMs,
        refreshMs: monthMs,
        description: "Client certificate of administrators on control plane nodes.",
        subject: client("system:admin", "system:masters"),
      },
    },
  ];
}
