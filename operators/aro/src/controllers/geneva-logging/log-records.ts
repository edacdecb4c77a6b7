/** Returns a reference to an environment variable of the collector. */
export const fromEnvironment = (name: string) => `\${env:${name}}`;

/** Fields of Kubernetes audit records that are copied to the top level, where the service's queries read them. */
const lifted: Readonly<Record<string, readonly string[]>> = {
  user: ["username", "uid", "groups", "extra"],
  impersonatedUser: ["username", "uid", "groups", "extra"],
  responseStatus: ["code", "reason", "status", "message", "metadata"],
  objectRef: [
    "resource",
    "namespace",
    "name",
    "uid",
    "apiGroup",
    "apiVersion",
    "resourceVersion",
    "subresource",
  ],
};

/** OpenTelemetry severity numbers of syslog priorities 0 to 7 (OpenTelemetry's data model of logs, appendix B). */
const severities = [
  ["EMERG", 21],
  ["ALERT", 19],
  ["CRIT", 18],
  ["ERR", 17],
  ["WARNING", 13],
  ["NOTICE", 10],
  ["INFO", 9],
  ["DEBUG", 5],
] as const;

const noisyPrefixes = ["_", "JOB_", "NM_", "COREDUMP_"];
const noisyMembers = [
  "SYSLOG_FACILITY",
  "SYSLOG_TIMESTAMP",
  "SYSLOG_PID",
  "MESSAGE_ID",
  "INVOCATION_ID",
  "CPU_USAGE_NSEC",
  "BOOT_ID",
  "PENDING",
  "TIMESTAMP",
  "TIMESTAMP_MONOTONIC",
];

const body = "log.body";
const journal = 'log.attributes["journald"]';
const isMap = (value: string) => `IsMap(${value})`;
const isJournal = `${isMap(body)} and IsString(${body}["SYSLOG_IDENTIFIER"])`;

const withoutNoise = (map: string) => [
  ...noisyPrefixes.map((prefix) => `delete_matching_keys(${map}, "^${prefix}") where ${isMap(map)}`),
  ...noisyMembers.map((name) => `delete_key(${map}, "${name}") where ${isMap(map)}`),
];

const liftedMembers = Object.entries(lifted).flatMap(([parent, members]) => {
  const source = `${body}["${parent}"]`;
  return members.map(
    (member) =>
      `set(${body}["${parent}_${member}"], ${source}["${member}"]) where ${isMap(body)} and ${isMap(source)} and ${source}["${member}"] != nil`,
  );
});

const severityOfPriorities = severities.flatMap(([text, number], priority) => {
  const where = `where ${isMap(body)} and ${body}["PRIORITY"] == "${priority}" and log.severity_number == 0`;
  return [`set(log.severity_text, "${text}") ${where}`, `set(log.severity_number, ${number}) ${where}`];
});

const named = (name: string, value: string) =>
  `set(log.attributes["${name}"], ${value}) where ${value} != nil`;

/**
 * Statements in OpenTelemetry's transformation language. They convert records to the format that the service's queries expect.
 */
export const recordStatements: readonly string[] = [
  // Request and response bodies are removed. They are large and may contain secrets.
  ...["requestObject", "responseObject"].map((name) => `delete_key(${body}, "${name}") where ${isMap(body)}`),
  `set(${journal}, ${body}) where ${isJournal}`,
  ...withoutNoise(journal),
  ...["_PID", "_SYSTEMD_UNIT", "_BOOT_ID"].map(
    (name) =>
      `set(${journal}["${name}"], ${body}["${name}"]) where ${isJournal} and ${body}["${name}"] != nil`,
  ),
  `set(log.attributes["raw_json_body"], ${body}) where not (${isJournal})`,
  ...withoutNoise(body),
  ...liftedMembers,
  `set(log.attributes["SYSLOG_IDENTIFIER"], ${journal}["SYSLOG_IDENTIFIER"]) where ${isMap(journal)} and ${journal}["SYSLOG_IDENTIFIER"] != nil`,
  ...severityOfPriorities,
  `set(${body}, ${body}["MESSAGE"]) where ${isMap(body)} and ${body}["MESSAGE"] != nil`,
  named("container", 'resource.attributes["k8s.container.name"]'),
  named("pod", 'resource.attributes["k8s.pod.name"]'),
  named("namespace", 'resource.attributes["k8s.namespace.name"]'),
  `set(log.attributes["node"], "${fromEnvironment("MONITORING_ROLE_INSTANCE")}")`,
];
