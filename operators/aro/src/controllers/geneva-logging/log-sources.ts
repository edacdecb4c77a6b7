import { noisyNamespaces, type Source } from "./log-filters.ts";
import type { ExporterRole } from "./names.ts";
import type { Profile } from "./profile.ts";

const storage = "file_storage";

/** Namespaces of components that determine the platform's health. */
const platformNamespaces = [
  "openshift-azure-*",
  "openshift-apiserver",
  "openshift-authentication",
  "openshift-etcd",
  "openshift-kube-apiserver",
  "openshift-kube-controller-manager",
  "openshift-kube-scheduler",
  "openshift-dns",
  "openshift-ingress",
  "openshift-ovn-kubernetes",
  "openshift-network-operator",
  "openshift-machine-config-operator",
  "openshift-machine-api",
  "openshift-cloud-controller-manager",
];
const allNamespaces = ["default", "kube-*", "openshift", "openshift-*"];

/** Returns the path pattern of the log files of a namespace. Their names are `{pod}_{namespace}_{container}-{id}.log`. */
const filesOf = (namespace: string) => `/var/log/containers/*_${namespace}_*.log`;

const isText = 'type(body) == "string"';
const isMap = 'type(body) == "map"';
const levels = { warn: ["warn", "warning"], error: "error", fatal: "fatal", info: "info", debug: "debug" };

/** Returns a parser of log lines. If a line does not match the pattern, it remains a string. */
const parsed = (id: string, regex: string, mapping: object) => ({
  id,
  type: "regex_parser",
  if: isText,
  parse_from: "body",
  parse_to: "body",
  regex,
  severity: { parse_from: "body.severity", mapping },
  on_error: "send_quiet",
});

/** Returns a parser of `name=value` pairs. */
const pairs = (id: string, from: string, condition: string) => ({
  id,
  type: "key_value_parser",
  if: condition,
  parse_from: from,
  parse_to: "body.fields",
  on_error: "send_quiet",
});

const quoted = String.raw`"(?:[^"\\]|\\.)*"`;

const journald = {
  directory: "/var/log/journal",
  journalctl_path: "/usr/bin/journalctl",
  start_at: "beginning",
  storage,
  operators: [
    {
      // This collector operator combines the lines of a kubelet stack trace into one record.
      id: "kubenswrapper-multiline",
      type: "recombine",
      if: 'body["SYSLOG_IDENTIFIER"] == "kubenswrapper"',
      combine_field: "body.MESSAGE",
      is_first_entry: String.raw`body["MESSAGE"] matches "^[^\\s]"`,
    },
  ],
};

const containers = (profile: Profile) => ({
  include: (profile === "minimal-logs" ? platformNamespaces : allNamespaces).map(filesOf),
  exclude: noisyNamespaces.map(filesOf),
  start_at: "end",
  storage,
  include_file_path: true,
  include_file_path_resolved: true,
  include_file_name: false,
  operators: [
    {
      // The resolved path contains the pod's UID. The next step of the collector's pipeline, `container`, reads it from this attribute.
      type: "move",
      from: 'attributes["log.file.path_resolved"]',
      to: 'attributes["log.file.path"]',
      if: 'attributes["log.file.path_resolved"] != nil',
    },
    { type: "container" },
    parsed(
      "klog",
      String.raw`^(?P<severity>[IWEF])\d{4} \d{2}:\d{2}:\d{2}\.\d{6} +\d+ (?P<src_file>[^:]+):(?P<src_line>\d+)\] (?P<message>(?s:.*))`,
      { warn: "W", error: "E", fatal: "F", info: "I", debug: "D" },
    ),
    parsed(
      "logrus",
      String.raw`^time="[^"]+" level=(?P<severity>[a-zA-Z]+) msg="(?P<message>(?:[^"\\]|\\.)*)"(?P<fields>(?: [^= ]+=(?:${quoted}|[^ ]+))*)`,
      levels,
    ),
    pairs("logrus-fields", "body.fields", `${isMap} and body.fields != nil`),
    parsed(
      "zap",
      String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d+Z\t(?P<severity>[a-z]+)\t(?P<src_file>[^\t]+)\t(?P<message>[^\t]+)(?:\t(?P<fields>.*))?$`,
      levels,
    ),
    {
      id: "logrus-file",
      type: "regex_parser",
      if: `${isMap} and type(body.fields) == "map" and body.fields.file != nil`,
      parse_from: "body.fields.file",
      parse_to: "body",
      regex: String.raw`^(?P<src_file>[^:]+):(?P<src_line>\d+)$`,
      on_error: "send_quiet",
    },
    pairs("message-fields", "body.message", isMap),
    { type: "flatten", field: "body", if: isMap },
  ],
});

const audit = {
  include: ["/var/log/kube-apiserver/audit.log"],
  start_at: "end",
  storage,
  on_truncate: "read_whole_file",
  include_file_path: true,
  operators: [
    {
      type: "json_parser",
      parse_from: "body",
      parse_to: "body",
      timestamp: {
        parse_from: "body.stageTimestamp",
        layout_type: "strptime",
        layout: "%Y-%m-%dT%H:%M:%S.%LZ",
      },
    },
  ],
};

export interface LogSource {
  readonly name: Source;
  readonly receiver: string;
  readonly settings: object;
}

/** Returns the log sources of a role's nodes. Only masters have the API audit log. */
export function sourcesOf(profile: Profile, role: ExporterRole): readonly LogSource[] {
  return [
    { name: "journald", receiver: "journald", settings: journald },
    { name: "containers", receiver: "file_log/containers", settings: containers(profile) },
    ...(role === "master" ? [{ name: "audit", receiver: "file_log/audit", settings: audit } as const] : []),
  ];
}
