import { stringAt } from "@keelson/base";
import { isKubeNotFound, type KubeResource } from "@keelson/kube";
import { defineCollector } from "../collector.ts";

const virtualMachineInstances: KubeResource = {
  group: "kubevirt.io",
  version: "v1",
  plural: "virtualmachineinstances",
  kind: "VirtualMachineInstance",
  namespaced: true,
};

export const virtualMachines = defineCollector({
  name: "emitCNVVirtualMachineInstanceStatuses",
  metrics: {
    "cnv.virtualmachineinstance.info": {
      help: "1 for each virtual machine that runs in the cluster (OpenShift Virtualization).",
      dimensions: [
        "namespace",
        "name",
        "phase",
        "os",
        "workload",
        "flavor",
        "guest_os_kernel_release",
        "guest_os_arch",
        "guest_os_name",
        "guest_os_version_id",
      ],
    },
  },
  async collect({ view, emit }) {
    const instances = await view.list(virtualMachineInstances).catch((error: unknown) => {
      // A missing resource is not an error, because most clusters do not have OpenShift Virtualization.
      if (isKubeNotFound(error)) return [];
      throw error;
    });
    for (const instance of instances) {
      const { name, namespace = "", labels = {} } = instance.metadata;
      const guest = (member: string) => stringAt(instance, "status", "guestOSInfo", member) ?? "";
      emit("cnv.virtualmachineinstance.info", 1, {
        namespace,
        name,
        phase: stringAt(instance, "status", "phase") ?? "",
        os: labels.os ?? "",
        workload: labels.workload ?? "",
        flavor: labels.flavor ?? "",
        guest_os_kernel_release: guest("kernelRelease"),
        guest_os_arch: guest("machine"),
        guest_os_name: guest("name"),
        guest_os_version_id: guest("versionId"),
      });
    }
  },
});
