import { type Manifest, manifest } from "@keelson/aro-api";
import { resources } from "@keelson/kube";
import { name, namespace } from "./names.ts";

export interface DeploymentOptions {
  /** Image reference of the operator. */
  readonly image: string;
  /** True for OpenShift 4.11 and later. */
  readonly supportsPodSecurity: boolean;
}

/** ConfigMap that the cluster network operator fills with the cluster's trusted CA bundle. */
export const trustedCertificates: Manifest = manifest(resources.configMaps, {
  name: "trusted-ca-bundle",
  namespace,
  labels: { "config.openshift.io/inject-trusted-cabundle": "true" },
});

const volume = trustedCertificates.object.metadata.name;
const master = "node-role.kubernetes.io/master";
const ownMetadata = (name: string, member: string) => ({
  name,
  valueFrom: { fieldRef: { fieldPath: `metadata.${member}` } },
});

export function deployment({ image, supportsPodSecurity }: DeploymentOptions): Manifest {
  const labels = { name };
  return manifest(
    resources.deployments,
    { name, namespace },
    {
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: name,
            affinity: {
              nodeAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: {
                  nodeSelectorTerms: [{ matchExpressions: [{ key: master, operator: "In", values: [""] }] }],
                },
              },
            },
            tolerations: [
              { effect: "NoSchedule", key: master },
              { effect: "NoExecute", key: master },
            ],
            volumes: [
              {
                name: volume,
                configMap: {
                  name: volume,
                  defaultMode: 0o644,
                  items: [{ key: "ca-bundle.crt", path: "tls-ca-bundle.pem" }],
                },
              },
            ],
            ...(supportsPodSecurity
              ? { securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } } }
              : {}),
            containers: [
              {
                name,
                image,
                imagePullPolicy: "Always",
                command: [name],
                env: [
                  ownMetadata("WATCH_NAMESPACE", "namespace"),
                  ownMetadata("POD_NAME", "name"),
                  ownMetadata("OPERATOR_NAMESPACE", "namespace"),
                  { name: "OPERATOR_NAME", value: name },
                ],
                resources: {
                  requests: { cpu: "20m", memory: "100Mi" },
                  limits: { cpu: "50m", memory: "200Mi" },
                },
                volumeMounts: [
                  { name: volume, mountPath: "/etc/pki/ca-trust/extracted/pem", readOnly: true },
                ],
                ...(supportsPodSecurity
                  ? {
                      securityContext: {
                        allowPrivilegeEscalation: false,
                        capabilities: { drop: ["ALL"] },
                        runAsNonRoot: true,
                      },
                    }
                  : {}),
              },
            ],
          },
        },
      },
    },
  );
}
