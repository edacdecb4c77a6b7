import type { JsonObject } from "@keelson/base";
import { fieldVariable } from "@keelson/operator-kit";
import { apiServerProbes, insecureReadyz } from "../operand/probes.ts";
import type { RenderOptions } from "./render-options.ts";

const hostPath = (name: string, path: string) => ({ name, hostPath: { path } });
const mount = (name: string, mountPath: string) => ({ name, mountPath });
const readOnly = (name: string, mountPath: string) => ({ ...mount(name, mountPath), readOnly: true });
const logDir = "/var/log/kube-apiserver";

/**
 * Returns the pod of the bootstrap API server. The pod is in the namespace of the later API servers, so that the next API server
 * on a single node can replace it.
 */
export function bootstrapPod(options: RenderOptions, terminationGracePeriodSeconds: number): JsonObject {
  const image = {
    image: options.manifestImage,
    imagePullPolicy: options.manifestImagePullPolicy,
    terminationMessagePolicy: "FallbackToLogsOnError",
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "bootstrap-kube-apiserver",
      namespace: "openshift-kube-apiserver",
      labels: { "openshift.io/control-plane": "true", "openshift.io/component": "api" },
      annotations: {
        "openshift.io/run-level": "0",
        "kubectl.kubernetes.io/default-logs-container": "kube-apiserver",
        "target.workload.openshift.io/management": '{"effect": "PreferredDuringScheduling"}',
      },
    },
    spec: {
      restartPolicy: "Always",
      hostNetwork: true,
      initContainers: [
        {
          name: "setup",
          ...image,
          command: ["/bin/bash", "-ec"],
          args: [`chmod 0700 ${logDir} && touch ${logDir}/audit.log && chmod 0600 ${logDir}/*\n`],
          securityContext: { privileged: true },
          resources: { requests: { memory: "50Mi", cpu: "5m" } },
          volumeMounts: [mount("audit-dir", logDir)],
        },
      ],
      containers: [
        {
          name: "kube-apiserver",
          ...image,
          command: ["/bin/bash", "-ec"],
          args: [
            `hyperkube kube-apiserver --openshift-config=/etc/kubernetes/config/${options.manifestConfigFileName} --v=2 --advertise-address=\${HOST_IP}\n`,
          ],
          resources: { requests: { memory: "1Gi", cpu: "265m" } },
          ...apiServerProbes,
          env: [fieldVariable("HOST_IP", "status.hostIP")],
          volumeMounts: [
            readOnly("ssl-certs-host", "/etc/ssl/certs"),
            readOnly("secrets", "/etc/kubernetes/secrets"),
            readOnly("etc-kubernetes-cloud", "/etc/kubernetes/cloud"),
            readOnly("config", "/etc/kubernetes/config"),
            mount("logs", "/var/log/bootstrap-control-plane"),
            mount("audit-dir", logDir),
          ],
        },
        { ...insecureReadyz, image: options.manifestOperatorImage },
      ],
      terminationGracePeriodSeconds,
      volumes: [
        hostPath("secrets", options.manifestSecretsHostPath),
        hostPath("etc-kubernetes-cloud", options.manifestCloudProviderHostPath),
        hostPath("config", options.manifestConfigHostPath),
        hostPath("ssl-certs-host", "/etc/ssl/certs"),
        hostPath("logs", "/var/log/bootstrap-control-plane"),
        hostPath("audit-dir", logDir),
      ],
    },
  };
}
