import { CloudError } from "@keelson/arm";
import { stringAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";
import { cleanUp } from "./clean-up.ts";
import { untilObject } from "./until-object.ts";

const namespace = "openshift-etcd";
const name = "etcd-recovery-data-backup";
const image = "ubi9/ubi-minimal";

/**
 * Script that moves etcd's manifest and data away. Without the manifest, the kubelet stops the failing pod. Without the data,
 * etcd later starts as a new member.
 */
const script = `set -eu
manifest=/etc/kubernetes/manifests/etcd-pod.yaml
data=/var/lib/etcd
if [ ! -f "$manifest" ] || [ ! -d "$data" ]; then
  echo "No backup: $manifest or $data is not there, so it was taken before."
  exit 0
fi
backup=/var/lib/etcd-backup-$(date -u +%Y%m%d%H%M%S)
mkdir -p "$backup"
mv "$manifest" "$backup/"
echo "Moved $manifest to $backup."
mv "$data" "$backup/"
echo "Moved $data to $backup."
`;

/**
 * Moves etcd's manifest and data on a node to a new directory below `/var/lib`. Returns the output.
 * @throws CloudError InternalServerError with the log of a failed backup; KubeError of the cluster
 */
export async function backupMember(context: ActionContext, node: string): Promise<string> {
  const { clock, signal } = context;
  const kube = context.kube();
  // A leftover pod of an earlier attempt would be mistaken for the new pod.
  await removePod(context);
  await kube.create(resources.pods, backupPod(node), signal);
  try {
    const selection = { namespace, fieldSelector: `metadata.name=${name}` };
    const ended = (pod: KubeObject) => /^(Succeeded|Failed)$/.test(stringAt(pod, "status", "phase") ?? "");
    const pod = await untilObject({ kube, clock }, resources.pods, selection, ended, signal);
    const chunks = await Array.fromAsync(
      kube.logs({ namespace, name }, { container: name, limitBytes: 65_536 }, signal),
    );
    const log = Buffer.concat(chunks).toString();
    if (stringAt(pod, "status", "phase") === "Succeeded") return log;
    throw new CloudError(
      "InternalServerError",
      `the backup of etcd on node ${node} failed: ${stringAt(pod, "status", "message") ?? ""} ${log}`.trim(),
    );
  } finally {
    await removePod(context);
  }
}

function backupPod(node: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: { app: name } },
    spec: {
      restartPolicy: "Never",
      nodeName: node,
      containers: [
        {
          name,
          image,
          command: ["chroot", "/host", "/bin/sh", "-c", script],
          securityContext: { privileged: true, capabilities: { add: ["SYS_CHROOT"] } },
          volumeMounts: [{ name: "host", mountPath: "/host" }],
        },
      ],
      volumes: [{ name: "host", hostPath: { path: "/" } }],
    },
  };
}

async function removePod(context: ActionContext): Promise<void> {
  await cleanUp(context, `pod ${namespace}/${name}`, (kube, signal) =>
    kube.delete(resources.pods, { namespace, name }, signal, { gracePeriodSeconds: 0 }),
  );
}
