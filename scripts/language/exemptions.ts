/** Wording of an external system that the code must repeat. */
export interface Exemption {
  readonly path: string;
  /** Exempted text. Findings on lines with this text are dropped. */
  readonly text: string;
  readonly reason: string;
}

const apiserver = "simulators/apiserver/src";
const cases = `${apiserver}/testing/conformance/cases`;
const validation = "message of k8s.io/apimachinery/pkg/util/validation";

export const exemptions: readonly Exemption[] = [
  {
    path: "simulators/kinds/src/catalogue/names.ts",
    text: "regex used for validation is",
    reason: validation,
  },
  {
    path: "simulators/apimachinery/src/selector/label-forms.ts",
    text: "e.g. 'My",
    reason: validation,
  },
  {
    path: "simulators/kinds/src/kinds/core/secret.ts",
    text: "for beginning of value",
    reason: "message of encoding/json",
  },
  {
    path: `${apiserver}/upstream-responses.test.ts`,
    text: "for beginning of value",
    reason: "message of encoding/json",
  },
  {
    path: "simulators/cel/src/functions/formats.ts",
    text: "regex used for validation is",
    reason: validation,
  },
  {
    path: "simulators/schema/src/custom/dns-names.ts",
    text: "a DNS-1035 label must consist of",
    reason: validation,
  },
  { path: `${cases}/autoscaling.ts`, text: "regex used for validation is", reason: validation },
  { path: `${cases}/network.ts`, text: "regex used for validation is", reason: validation },
  {
    path: `${apiserver}/definitions/rules.test.ts`,
    text: "correct the existing errors to complete validation",
    reason: "message of k8s.io/apiextensions-apiserver",
  },
  {
    path: `${cases}/limit-ranges.ts`,
    text: "LimitRanger plugin set: memory request for container c;",
    reason: "annotation of the LimitRanger admission plugin",
  },
  {
    path: `${cases}/pod-security.ts`,
    text: "allowPrivilegeEscalation != false",
    reason: "message of k8s.io/pod-security-admission",
  },
  {
    path: `${apiserver}/registry/list.ts`,
    text: "Continuing with the provided token results in an inconsistent list",
    reason: "message of k8s.io/apiserver/pkg/storage",
  },
  {
    path: `${apiserver}/http/streaming/spdy/dictionary.ts`,
    text: "options",
    reason: "compression dictionary of SPDY/3.1",
  },
  {
    path: `${apiserver}/http/streaming/spdy/dictionary.ts`,
    text: "Non-Authoritative Information",
    reason: "compression dictionary of SPDY/3.1",
  },
  {
    path: "operators/aro/src/controllers/etc-hosts/node-files.ts",
    text: "those that it had from there",
    reason: "content of a MachineConfig, of which a change reboots nodes",
  },
  {
    path: "simulators/azure/src/authorization/denials.ts",
    text: "however, the access is denied because of the deny assignment",
    reason: "message of Azure Resource Manager",
  },
  {
    path: "simulators/azure/src/authorization/denials.test.ts",
    text: "however, the access is denied because of the deny assignment",
    reason: "message of Azure Resource Manager",
  },
  {
    path: "simulators/openshift/src/payload/payload-failure.ts",
    text: "else is updating this resource",
    reason: "message of the cluster-version operator",
  },
];
