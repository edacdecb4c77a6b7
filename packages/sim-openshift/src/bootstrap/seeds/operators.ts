import type { KubeObject } from "@keelson/apiserver";
import { controllerConfig } from "../../controllers/machine-configs/controller.ts";
import { releaseImage } from "../../updates/update-source.ts";
import type { ClusterSettings } from "../cluster-settings.ts";

const managed = { logLevel: "Normal", managementState: "Managed", operatorLogLevel: "Normal" };

const operator = (kind: string, spec: object = managed): KubeObject => ({
  apiVersion: "operator.openshift.io/v1",
  kind,
  metadata: { name: "cluster" },
  spec,
});

/** The operators' own configuration (operator.openshift.io/v1 and neighbours) in a fresh cluster. */
export function operatorSeeds(settings: ClusterSettings): readonly KubeObject[] {
  return [
    operator("Authentication"),
    operator("CloudCredential", { ...managed, credentialsMode: "" }),
    operator("Console", { ...managed, customization: {} }),
    operator("Etcd"),
    operator("KubeAPIServer"),
    operator("KubeControllerManager"),
    operator("KubeScheduler"),
    operator("Network", {
      ...managed,
      clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }],
      defaultNetwork: { ovnKubernetesConfig: { genevePort: 6081, mtu: 1400 }, type: "OVNKubernetes" },
      serviceNetwork: ["172.30.0.0/16"],
    }),
    operator("OpenShiftAPIServer"),
    operator("OpenShiftControllerManager"),
    operator("Storage"),
    {
      ...operator("DNS", { ...managed, nodePlacement: {}, upstreamResolvers: {} }),
      metadata: { name: "default" },
    },
    {
      ...operator("IngressController", {
        clientTLS: { clientCA: { name: "" }, clientCertificatePolicy: "" },
        domain: `apps.${settings.domain}`,
        replicas: 2,
      }),
      metadata: { namespace: "openshift-ingress-operator", name: "default" },
    },
    {
      apiVersion: "imageregistry.operator.openshift.io/v1",
      kind: "Config",
      metadata: { name: "cluster" },
      spec: { ...managed, replicas: 2 },
    },
    {
      apiVersion: "samples.operator.openshift.io/v1",
      kind: "Config",
      metadata: { name: "cluster" },
      spec: { architectures: ["x86_64"], managementState: "Managed" },
    },
    controllerConfig(settings.openShiftVersion, releaseImage(settings.openShiftVersion), {
      domain: settings.domain,
      infrastructure: undefined,
    }),
    machineConfigPool("master"),
    machineConfigPool("worker"),
  ];
}

function machineConfigPool(role: "master" | "worker"): KubeObject {
  const label = "machineconfiguration.openshift.io/role";
  return {
    apiVersion: "machineconfiguration.openshift.io/v1",
    kind: "MachineConfigPool",
    metadata: {
      name: role,
      labels: {
        "machineconfiguration.openshift.io/mco-built-in": "",
        [`pools.operator.machineconfiguration.openshift.io/${role}`]: "",
      },
    },
    spec: {
      machineConfigSelector: { matchLabels: { [label]: role } },
      nodeSelector: { matchLabels: { [`node-role.kubernetes.io/${role}`]: "" } },
      paused: false,
    },
  };
}
