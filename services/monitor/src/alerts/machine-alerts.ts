import type { AlertGroup } from "./alert.ts";

export const machineAlerts: AlertGroup = {
  name: "keelson-machines",
  title: "Machines and nodes",
  collectors: ["emitMachineConditions", "emitNodeConditions"],
  alerts: [
    {
      name: "KeelsonMastersMissing",
      metric: "node.count",
      where: { role: '="master"' },
      condition: "< 3",
      forMinutes: 15,
      severity: "critical",
      summary: "The cluster has {{ $value }} masters.",
      meaning:
        "The cluster bears no further loss: with one more master gone, etcd has no majority and the API ends.",
      actions: [
        "`GET kubernetesobjects?kind=Machine&namespace=openshift-machine-api` and `GET resources`: is the machine there, and does it run?",
        "`startvm`, or `redeployvm` when the host is ill. Never delete a master's machine while etcd is not whole.",
        "`GET controlplanestatuscheckafterresize` shows where machines, virtual machines and nodes differ.",
      ],
    },
    {
      name: "KeelsonMasterNotReady",
      metric: "node.conditions",
      where: { type: '="Ready"', status: '!="True"', role: '="master"' },
      by: ["nodeName"],
      condition: "== 1",
      forMinutes: 10,
      severity: "critical",
      summary: "Master {{ $labels.nodeName }} is not ready.",
      meaning:
        "Its kubelet does not report, or says that it cannot run pods. etcd and the API run with one member less.",
      actions: [
        "`GET resources`: does its virtual machine run? `GET serialconsole` of it shows the kernel's last words.",
        "`POST approvecsr`: a kubelet whose certificate has expired waits for an approval.",
        "`redeployvm` moves it to another host.",
      ],
    },
    {
      name: "KeelsonWorkerNotReady",
      metric: "node.conditions",
      where: { type: '="Ready"', status: '!="True"', role: '!="master"' },
      by: ["nodeName"],
      condition: "== 1",
      forMinutes: 30,
      severity: "warning",
      summary: "Node {{ $labels.nodeName }} is not ready.",
      meaning:
        "Its pods are moved to other nodes where they can be. A spot instance (`spotInstance` true) that Azure took back is no fault.",
      actions: [
        "As with a master. Where a MachineHealthCheck watches it, the machine is replaced on its own: wait for that first.",
        "Many nodes of one subnet at once: see its route table, its security group and the rules of the customer's firewall.",
      ],
    },
    {
      name: "KeelsonNodePressure",
      metric: "node.conditions",
      where: { type: '=~"DiskPressure|MemoryPressure|PIDPressure"', status: '="True"' },
      by: ["nodeName", "type"],
      condition: "== 1",
      forMinutes: 15,
      severity: "warning",
      summary: "Node {{ $labels.nodeName }} has {{ $labels.type }}.",
      meaning: "The kubelet evicts pods, and takes none until it has room again.",
      actions: [
        "`GET top/nodes` and `top/pods` show who uses it.",
        "On masters: `GET preresizevalidation`, then `POST resizecontrolplane` with a larger size, after the customer agreed.",
      ],
    },
    {
      name: "KeelsonMachineFailed",
      metric: "machine.phase",
      where: { phase: '="Failed"' },
      by: ["machineName", "role"],
      condition: "== 1",
      forMinutes: 15,
      severity: "warning",
      summary: "Machine {{ $labels.machineName }} has failed.",
      meaning:
        "Azure refused to make it, or it was deleted in Azure. It stays so until the Machine is deleted.",
      actions: [
        "`status.errorMessage` of the Machine says why: quota, a size that the zone has not, a policy of the subscription.",
        "The cause gone, delete a worker's Machine: its machine set makes another. For a master see KeelsonMastersMissing.",
      ],
    },
    {
      name: "KeelsonMachineStuck",
      metric: "machine.phase",
      where: { phase: '=~"Provisioning|Provisioned|Deleting"' },
      by: ["machineName", "phase"],
      condition: "== 1",
      forMinutes: 60,
      severity: "warning",
      summary: "Machine {{ $labels.machineName }} has been {{ $labels.phase }} for an hour.",
      meaning: "It does not boot, does not join the cluster, or cannot be drained.",
      actions: [
        "Provisioned: `GET serialconsole`; then `POST approvecsr`, if its certificate waits for an approval.",
        "Deleting: a PodDisruptionBudget holds its drain up; `POST drainnode` says which pod.",
      ],
    },
  ],
};
