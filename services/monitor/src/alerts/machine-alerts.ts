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
      meaning: "If the cluster loses one more master, etcd loses its quorum and the API becomes unavailable.",
      actions: [
        "Check whether the master's Machine and its virtual machine exist and run, with `GET kubernetesobjects?kind=Machine&namespace=openshift-machine-api` and `GET resources`.",
        "Start a stopped virtual machine with `POST startvm`. If its host is faulty, run `POST redeployvm`. Never delete the Machine of a master while etcd is unhealthy.",
        "`GET controlplanestatuscheckafterresize` lists the differences between Machines, virtual machines and nodes of the masters.",
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
        "The master's kubelet sends no heartbeats, or reports that it cannot run pods. etcd and the API server run with one replica less.",
      actions: [
        "Read the state of the virtual machine with `GET resources`, and its last kernel messages with `GET serialconsole`.",
        "If the kubelet's certificate has expired, the kubelet's request for a new certificate needs an approval. Run `POST approvecsr`.",
        "If the host is faulty, run `POST redeployvm`, which moves the virtual machine to a different host.",
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
        "Kubernetes moves the node's pods to other nodes if possible. A spot instance (`spotInstance` is true) that Azure has evicted is not a fault.",
      actions: [
        "If the cluster has a MachineHealthCheck for this node, wait until the MachineHealthCheck has replaced the machine. Otherwise follow the steps of KeelsonMasterNotReady.",
        "If many nodes of one subnet are affected at the same time, check the subnet's route table, its network security group and the customer's firewall.",
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
      summary: "Node {{ $labels.nodeName }} has the condition {{ $labels.type }}.",
      meaning: "The kubelet evicts pods, and accepts no new pods until resources are available again.",
      actions: [
        "`GET top/nodes` and `GET top/pods` show the nodes and pods that use the most CPU time and memory.",
        "If the node is a master, run `GET preresizevalidation`. Then, after the customer has agreed, run `POST resizecontrolplane` with a larger VM size.",
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
        "Azure refused to create the virtual machine, or the virtual machine was deleted in Azure. The Machine remains in this state until it is deleted.",
      actions: [
        "Read the reason in `status.errorMessage` of the Machine. Examples are a quota, a VM size that is unavailable in the zone, and a policy of the subscription.",
        "Fix the cause. Then delete the Machine if it is a worker. Its MachineSet creates a new Machine. For a master, follow KeelsonMastersMissing.",
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
      meaning: "The machine does not boot, does not join the cluster, or cannot be drained.",
      actions: [
        "If the phase is Provisioned, read `GET serialconsole`. If the kubelet's certificate request waits for an approval, run `POST approvecsr`.",
        "If the phase is Deleting, a PodDisruptionBudget delays the drain of the node. Run `POST drainnode`. Its error names the pod.",
      ],
    },
  ],
};
