import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import {
  atLeast,
  between,
  dnsLabel,
  dnsSubdomain,
  labels,
  localFilePath,
  localPath,
  named,
  noBacksteps,
  nonNegative,
  oneOf,
  port,
  portOrName,
  positive,
  qualifiedName,
  required,
  resources,
  unique,
} from "../checks.ts";
import { environmentName, portName } from "../names.ts";
import type { FieldChecks, TypeFacts } from "../type-facts.ts";
import {
  asksForItsContainers,
  oneHandler,
  oneVolumeSource,
  onlyOneSource,
  onlyOneSubPath,
  onlyOneValue,
  pullPolicyOf,
  requestsWithinLimits,
  requiredBecauseEmpty,
  requiredPort,
  requiredZero,
  succeedsOnce,
  uniqueContainerNames,
  uniqueMountPaths,
  uniquePortNames,
  unlessZero,
  validToleration,
  weight,
  withPullPolicy,
  withServiceAccountAlias,
  withVolumeSource,
} from "./pod-checks.ts";

const maxUserId = 2 ** 31 - 1;
const userId = between(0, maxUserId);

/** Checks for all three container types. */
const containerChecks: readonly FieldChecks[] = [
  ["name", required, dnsLabel],
  ["image", required],
  ["terminationMessagePolicy", oneOf("File", "FallbackToLogsOnError")],
  ["ports", uniquePortNames],
  ["env"],
  ["envFrom"],
  ["volumeMounts", uniqueMountPaths],
  ["volumeDevices", unique("name")],
  ["imagePullPolicy", oneOf("Always", "IfNotPresent", "Never")],
  ["resources"],
  ["securityContext"],
  ["lifecycle"],
  ["livenessProbe", succeedsOnce],
  ["readinessProbe"],
  ["startupProbe", succeedsOnce],
];

/**
 * Facts about pod specs, in pods and in templates. Source: kubernetes pkg/apis/core/v1/defaults.go and
 * pkg/apis/core/validation/validation.go.
 */
export const podSpecFacts: TypeFacts = {
  defaults: `
core.v1.PodSpec dnsPolicy="ClusterFirst" restartPolicy="Always" schedulerName="default-scheduler" securityContext={} terminationGracePeriodSeconds=30
core.v1.Container terminationMessagePath="/dev/termination-log" terminationMessagePolicy="File" resources={}
core.v1.EphemeralContainer terminationMessagePath="/dev/termination-log" terminationMessagePolicy="File" resources={}
core.v1.ContainerPort protocol="TCP"
core.v1.Probe timeoutSeconds:=1 periodSeconds:=10 successThreshold:=1 failureThreshold:=3
core.v1.HTTPGetAction path="/" scheme="HTTP"
core.v1.GRPCAction service=""
core.v1.SecretVolumeSource defaultMode=420
core.v1.ConfigMapVolumeSource defaultMode=420
core.v1.DownwardAPIVolumeSource defaultMode=420
core.v1.ProjectedVolumeSource defaultMode=420
core.v1.ServiceAccountTokenProjection expirationSeconds=3600
core.v1.HostPathVolumeSource type=""
core.v1.ObjectFieldSelector apiVersion="v1"
core.v1.ResourceFieldSelector divisor="0"
core.v1.ISCSIVolumeSource iscsiInterface="default"
core.v1.RBDVolumeSource pool="rbd" user="admin" keyring="/etc/ceph/keyring"
core.v1.AzureDiskVolumeSource cachingMode="ReadWrite" fsType="ext4" kind="Shared" readOnly=false
core.v1.ScaleIOVolumeSource storageMode="ThinProvisioned" fsType="xfs"
`,
  derived: {
    "core.v1.PodSpec": withServiceAccountAlias,
    "core.v1.Container": withPullPolicy,
    "core.v1.EphemeralContainer": withPullPolicy,
    "core.v1.Volume": withVolumeSource,
    "core.v1.ImageVolumeSource": (source) =>
      source.pullPolicy
        ? source
        : { ...source, pullPolicy: pullPolicyOf(scalarStringAt(source, "reference")) },
  },
  checks: {
    "core.v1.PodSpec": [
      ["volumes", unique("name")],
      ["containers", required, unique("name")],
      ["initContainers", unique("name")],
      ["ephemeralContainers", unique("name")],
      ["", uniqueContainerNames],
      ["restartPolicy", oneOf("Always", "OnFailure", "Never")],
      ["dnsPolicy", oneOf("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")],
      ["nodeSelector", labels],
      ["securityContext"],
      ["imagePullSecrets"],
      ["affinity"],
      ["topologySpreadConstraints"],
      ["serviceAccountName", dnsSubdomain],
      ["nodeName", dnsSubdomain],
      ["activeDeadlineSeconds", between(1, maxUserId)],
      ["hostname", dnsLabel],
      ["subdomain", dnsLabel],
      ["tolerations"],
      ["priorityClassName", dnsSubdomain],
      ["runtimeClassName", dnsSubdomain],
      ["preemptionPolicy", oneOf("PreemptLowerPriority", "Never")],
      ["terminationGracePeriodSeconds", nonNegative],
      ["overhead", resources],
      ["resources"],
      ["", asksForItsContainers],
    ],
    "core.v1.Container": [...containerChecks, ["restartPolicy", oneOf("Always", "OnFailure", "Never")]],
    "core.v1.EphemeralContainer": containerChecks,
    "core.v1.ContainerPort": [
      ["name", named(portName)],
      ["containerPort", requiredPort, port],
      ["hostPort", unlessZero(port)],
      ["protocol", oneOf("SCTP", "TCP", "UDP")],
    ],
    "core.v1.EnvVar": [
      ["name", required, named(environmentName)],
      ["", onlyOneValue],
    ],
    "core.v1.EnvVarSource": [["", onlyOneSource]],
    "core.v1.ObjectFieldSelector": [["fieldPath", required]],
    "core.v1.ResourceFieldSelector": [["resource", required]],
    "core.v1.ConfigMapKeySelector": [
      ["name", required],
      ["key", required],
    ],
    "core.v1.SecretKeySelector": [
      ["name", required],
      ["key", required],
    ],
    "core.v1.ConfigMapEnvSource": [["name", required, dnsSubdomain]],
    "core.v1.SecretEnvSource": [["name", required, dnsSubdomain]],
    "core.v1.EnvFromSource": [
      [
        "",
        (source, findings) => {
          const found = ["configMapRef", "secretRef"].filter((name) => valueAt(source, name) !== undefined);
          if (found.length === 0) findings.invalid("", "must specify one of: `configMapRef` or `secretRef`");
          if (found.length > 1) findings.invalid("", "may not have more than one field specified at a time");
        },
      ],
    ],
    "core.v1.VolumeMount": [
      ["name", required],
      ["mountPath", required],
      ["subPath", localPath],
      ["subPathExpr", localPath],
      ["", onlyOneSubPath],
      ["mountPropagation", oneOf("Bidirectional", "HostToContainer", "None")],
    ],
    "core.v1.VolumeDevice": [
      ["name", required],
      ["devicePath", required],
    ],
    "core.v1.ResourceRequirements": [
      ["limits", resources],
      ["requests", resources],
      ["", requestsWithinLimits],
    ],
    "core.v1.Probe": [
      ["", oneHandler("must specify a handler type", ["exec", "httpGet", "tcpSocket", "grpc"])],
      ["initialDelaySeconds", nonNegative],
      ["timeoutSeconds", nonNegative],
      ["periodSeconds", nonNegative],
      ["successThreshold", nonNegative],
      ["failureThreshold", nonNegative],
      ["terminationGracePeriodSeconds", positive],
    ],
    "core.v1.LifecycleHandler": [
      ["", oneHandler("must specify a handler type", ["exec", "httpGet", "tcpSocket", "sleep"])],
    ],
    "core.v1.ExecAction": [["command", required]],
    "core.v1.HTTPGetAction": [
      ["path", required],
      ["port", requiredZero, portOrName],
      ["scheme", oneOf("HTTP", "HTTPS")],
    ],
    "core.v1.TCPSocketAction": [["port", requiredZero, portOrName]],
    "core.v1.GRPCAction": [["port", port]],
    "core.v1.SecurityContext": [
      ["runAsUser", userId],
      ["runAsGroup", userId],
      ["procMount", oneOf("Default", "Unmasked")],
      [
        "",
        (context, findings) => {
          if (valueAt(context, "allowPrivilegeEscalation") !== false) return;
          if (valueAt(context, "privileged") === true)
            findings.invalid(
              context,
              "cannot set `allowPrivilegeEscalation` to false and `privileged` to true",
            );
          if (listAt(context, "capabilities", "add").includes("CAP_SYS_ADMIN"))
            findings.invalid(
              context,
              "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN",
            );
        },
      ],
    ],
    "core.v1.PodSecurityContext": [
      ["runAsUser", userId],
      ["runAsGroup", userId],
      ["fsGroup", userId],
      ["fsGroupChangePolicy", oneOf("OnRootMismatch", "Always")],
    ],
    "core.v1.SeccompProfile": [["type", required, oneOf("Localhost", "RuntimeDefault", "Unconfined")]],
    "core.v1.Volume": [
      ["name", required, dnsLabel],
      ["", oneVolumeSource],
    ],
    "core.v1.HostPathVolumeSource": [
      ["path", required, noBacksteps],
      [
        "type",
        oneOf(
          "",
          "BlockDevice",
          "CharDevice",
          "Directory",
          "DirectoryOrCreate",
          "File",
          "FileOrCreate",
          "Socket",
        ),
      ],
    ],
    "core.v1.SecretVolumeSource": [
      ["secretName", required],
      ["defaultMode", between(0, 0o777)],
    ],
    "core.v1.ConfigMapVolumeSource": [
      ["name", required],
      ["defaultMode", between(0, 0o777)],
    ],
    "core.v1.KeyToPath": [
      ["key", required],
      ["path", required, localFilePath],
      ["mode", between(0, 0o777)],
    ],
    "core.v1.PersistentVolumeClaimVolumeSource": [["claimName", required]],
    "core.v1.NFSVolumeSource": [
      ["server", required],
      ["path", required],
    ],
    "core.v1.CSIVolumeSource": [["driver", required]],
    "core.v1.ServiceAccountTokenProjection": [
      ["expirationSeconds", atLeast(600, "may not specify a duration less than 10 minutes")],
      ["path", required, localFilePath],
    ],
    "core.v1.Toleration": [
      ["key", qualifiedName],
      ["", validToleration],
      ["effect", oneOf("NoSchedule", "PreferNoSchedule", "NoExecute")],
    ],
    "core.v1.TopologySpreadConstraint": [
      ["maxSkew", positive],
      ["topologyKey", requiredBecauseEmpty("can not be empty")],
      ["whenUnsatisfiable", oneOf("DoNotSchedule", "ScheduleAnyway")],
    ],
    "core.v1.PodAffinityTerm": [["topologyKey", requiredBecauseEmpty("can not be empty")]],
    "core.v1.WeightedPodAffinityTerm": [["weight", weight]],
    "core.v1.PreferredSchedulingTerm": [["weight", weight]],
    "core.v1.NodeSelector": [
      ["nodeSelectorTerms", requiredBecauseEmpty("must have at least one node selector term")],
    ],
    "core.v1.NodeSelectorRequirement": [
      ["key", qualifiedName],
      [
        "",
        (requirement, findings) => {
          const operator = scalarStringAt(requirement, "operator");
          const values = listAt(requirement, "values").length;
          if (operator === "In" || operator === "NotIn") {
            if (values === 0)
              findings.required("must be specified when `operator` is 'In' or 'NotIn'", "values");
          } else if (operator === "Exists" || operator === "DoesNotExist") {
            if (values > 0)
              findings.forbidden(
                "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
                "values",
              );
          } else if (operator === "Gt" || operator === "Lt") {
            if (values !== 1)
              findings.required("must be specified single value when `operator` is 'Lt' or 'Gt'", "values");
          } else findings.invalid(operator, "not a valid selector operator", "operator");
        },
      ],
    ],
    "core.v1.PodReadinessGate": [["conditionType", qualifiedName]],
    "core.v1.PodSchedulingGate": [["name", required, qualifiedName]],
    "core.v1.PodOS": [["name", required, oneOf("linux", "windows")]],
    "core.v1.ContainerResizePolicy": [
      ["resourceName", required],
      ["restartPolicy", required, oneOf("NotRequired", "RestartContainer")],
    ],
    "core.v1.DownwardAPIVolumeFile": [["path", required, localFilePath]],
    "core.v1.AzureFileVolumeSource": [
      ["secretName", required],
      ["shareName", required],
    ],
    "core.v1.HostAlias": [["ip", required]],
  },
};
