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
        "The cluster tolerates no further loss. Without one more master, etcd has no quorum and the API is unavailable.",
      actions: [
        "`GET kubernetesobjects?kind=Machine&namespace=openshift-machine-api` and `GET resources` show if the machine exists and runs.",
        "`startvm`, or `redeployvm` for a faulty host. Never delete a master's machine while etcd is unhealthy.",
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
        "Its kubelet does not report, or reports that it cannot run pods. etcd and the API run with one replica less.",
      actions: [
        "`GET resources` shows the state of its virtual machine, and `GET serialconsole` its last kernel messages.",
        "`POST approvecsr`: a kubelet with an expired certificate waits for an approval.",
        "`redeployvm` moves it to a different host.",
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
        "Its pods are moved to other nodes if possible. A spot instance (`spotInstance` true) that Azure evicted is not a fault.",
      actions: [
        "Same as for a master. A MachineHealthCheck, if any, replaces the machine automatically. Wait for that first.",
        "Many nodes of one subnet at the same time: check its route table, its security group and the rules of the customer's firewall.",
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
      meaning: "The kubelet evicts pods, and accepts no new pods until resources are available again.",
      actions: [
        "`GET top/nodes` and `top/pods` show the largest consumers.",
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
        "Azure refused to create it, or it was deleted in Azure. This state remains until the Machine is deleted.",
      actions: [
        "`status.errorMessage` of the Machine has the reason, for example quota, a size unavailable in the zone, or a policy of the subscription.",
        "After the cause is fixed, delete a worker's Machine. Its machine set creates a new one. For a master see KeelsonMastersMissing.",
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
        "Deleting: a PodDisruptionBudget delays its drain. `POST drainnode` names the pod.",
      ],
    },
  ],
};
