import { type ConformanceCase, exchange } from "../case.ts";
import { post } from "../requests.ts";

const base = "/apis/flowcontrol.apiserver.k8s.io/v1";
const level = (spec: object) =>
  post(`${base}/prioritylevelconfigurations`, { metadata: { name: "level-{ns}" }, spec });
const schema = (spec: object) => post(`${base}/flowschemas`, { metadata: { name: "schema-{ns}" }, spec });
const toLevel = { priorityLevelConfiguration: { name: "workload-low" } };
const anyone = [{ kind: "User", user: { name: "a" } }];
const pods = { verbs: ["get"], apiGroups: [""], resources: ["pods"], namespaces: ["*"] };
const ruled = (rule: object) => ({ ...toLevel, rules: [{ subjects: anyone, ...rule }] });
const queued = (queuing?: object) => ({
  type: "Limited",
  limited: { limitResponse: { type: "Queue", ...(queuing ? { queuing } : {}) } },
});

/** Field and message of an error cause. The actual message must end with `message`. */
type Cause = readonly [field: string, message: string];

function refused(name: string, when: ReturnType<typeof post>, ...causes: readonly Cause[]): ConformanceCase {
  return exchange({
    name,
    when,
    status: 422,
    body: {
      details: {
        causes: causes.map(([field, message]) => ({
          field,
          message: new RegExp(`${message.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`),
        })),
      },
    },
  });
}

const subjects = "spec.rules[0].subjects";
const resourceRule = "spec.rules[0].resourceRules[0]";
const otherRule = "spec.rules[0].nonResourceRules[0]";
const queuing = "spec.limited.limitResponse.queuing";

/**
 * Conformance cases for the validation of priority levels and flow schemas. Both have no effect here, because the server has one
 * fair queue per cluster.
 */
export const flowControlCases: readonly ConformanceCase[] = [
  exchange({
    name: "a limited priority level gets defaults",
    when: level({ type: "Limited", limited: { limitResponse: { type: "Queue", queuing: {} } } }),
    status: 201,
    body: {
      spec: {
        limited: {
          nominalConcurrencyShares: 30,
          lendablePercent: 0,
          limitResponse: { queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
        },
      },
    },
  }),
  refused(
    "only the priority level exempt may be exempt",
    level({ type: "Exempt", limited: {} }),
    ["spec.type", "must be 'Exempt' if and only if `name` is 'exempt'"],
    ["spec.limited", "must be nil if the type is not Limited"],
  ),
  refused(
    "a limited priority level has only limited settings",
    level({ type: "Limited", exempt: {} }),
    ["spec.exempt", "must be nil if the type is Limited"],
    ["spec.limited", "must not be empty when type is Limited"],
  ),
  refused("a limited priority level needs a limit response", level({ type: "Limited", limited: {} }), [
    "spec.limited.limitResponse.type",
    "Required value",
  ]),
  refused(
    "shares and percentages must be in range",
    level({
      type: "Limited",
      limited: {
        nominalConcurrencyShares: -1,
        lendablePercent: 101,
        borrowingLimitPercent: -1,
        limitResponse: { type: "Queue" },
      },
    }),
    ["spec.limited.nominalConcurrencyShares", "must be a non-negative integer"],
    [queuing, "must not be empty if limited.limitResponse.type is Limited"],
    ["spec.limited.lendablePercent", "must be between 0 and 100, inclusive"],
    ["spec.limited.borrowingLimitPercent", "if specified, must be a non-negative integer"],
  ),
  refused(
    "queue settings must be positive",
    level(queued({ queues: -1, handSize: -1, queueLengthLimit: -1 })),
    [`${queuing}.queueLengthLimit`, "must be positive"],
    [`${queuing}.queues`, "must be positive"],
    [`${queuing}.handSize`, "must be positive"],
  ),
  refused("the hand size is at most the number of queues", level(queued({ queues: 1, handSize: 2 })), [
    `${queuing}.handSize`,
    "should not be greater than queues (1)",
  ]),
  refused(
    "the hand size is limited by the entropy of the hash",
    level(queued({ queues: 20_000_000, handSize: 8 })),
    [`${queuing}.queues`, "must not be greater than 10000000"],
    [`${queuing}.handSize`, "deckSize 20000000 and handSize 8 should not be greater than 60"],
  ),
  exchange({
    name: "a hand of 60 bits is accepted",
    when: level(queued({ queues: 32, handSize: 12 })),
    status: 201,
  }),
  refused("a hand of 65 bits is rejected", level(queued({ queues: 32, handSize: 13 })), [
    `${queuing}.handSize`,
    "deckSize 32 and handSize 13 should not be greater than 60",
  ]),
  exchange({
    name: "a flow schema gets the default precedence, also for zero",
    when: schema({ ...ruled({ resourceRules: [pods] }), matchingPrecedence: 0 }),
    status: 201,
    body: { spec: { matchingPrecedence: 1000 } },
  }),
  refused("a flow schema needs a priority level", schema({}), [
    "spec.priorityLevelConfiguration.name",
    "must reference a priority level",
  ]),
  refused(
    "precedence 1 is reserved for the exempt flow schema",
    schema({ ...toLevel, matchingPrecedence: 1 }),
    ["spec.matchingPrecedence", "only the schema named 'exempt' may have matchingPrecedence 1"],
  ),
  refused("the maximum precedence is 10,000", schema({ ...toLevel, matchingPrecedence: 10_001 }), [
    "spec.matchingPrecedence",
    "must not be greater than 10000",
  ]),
  refused(
    "flows are distinguished by user or namespace",
    schema({ ...toLevel, distinguisherMethod: { type: "X" } }),
    [
      "spec.distinguisherMethod.type",
      'Unsupported value: {"Type":"X"}: supported values: "ByNamespace", "ByUser"',
    ],
  ),
  refused(
    "a rule needs subjects and resource or non-resource rules",
    schema({ ...toLevel, rules: [{}] }),
    [subjects, "subjects must contain at least one value"],
    ["spec.rules[0]", "at least one of resourceRules and nonResourceRules has to be non-empty"],
  ),
  refused(
    "a subject has the fields of its kind",
    schema({
      ...toLevel,
      rules: [
        {
          subjects: [
            { kind: "Group" },
            { kind: "User", user: { name: "" } },
            { kind: "ServiceAccount", serviceAccount: { name: "", namespace: "" } },
            { kind: "User", user: { name: "a" }, group: { name: "b" } },
            { kind: "Wrong" },
          ],
          resourceRules: [pods],
        },
      ],
    }),
    [`${subjects}[0].group`, "group is required when subject kind is 'Group'"],
    [`${subjects}[1].user.name`, "Required value"],
    [`${subjects}[2].serviceAccount.name`, "Required value"],
    [`${subjects}[2].serviceAccount.namespace`, "must specify namespace for service account"],
    [`${subjects}[3].group`, "group is forbidden when subject kind is not 'Group'"],
    [`${subjects}[4].kind`, 'supported values: "Group", "ServiceAccount", "User"'],
  ),
  refused(
    "rules need verbs, groups, resources and scope",
    schema(ruled({ resourceRules: [{}], nonResourceRules: [{}] })),
    [`${resourceRule}.verbs`, "verbs must contain at least one value"],
    [`${resourceRule}.apiGroups`, "resource rules must supply at least one api group"],
    [`${resourceRule}.resources`, "resource rules must supply at least one resource"],
    [
      `${resourceRule}.namespaces`,
      "resource rules that are not cluster scoped must supply at least one namespace",
    ],
    [`${otherRule}.verbs`, "verbs must contain at least one value"],
    [`${otherRule}.nonResourceURLs`, "nonResourceURLs must contain at least one value"],
  ),
  refused(
    "a wildcard must be the only value",
    schema(
      ruled({
        resourceRules: [
          { verbs: ["a", "*"], apiGroups: ["*", "a"], resources: ["a", "*"], namespaces: ["*", "b"] },
        ],
        nonResourceRules: [{ verbs: ["x"], nonResourceURLs: ["*", "/a"] }],
      }),
    ),
    [`${resourceRule}.verbs`, "must not specify other verbs"],
    [`${resourceRule}.apiGroups`, "must not specify other api groups"],
    [`${resourceRule}.resources`, "must not specify other resources"],
    [`${resourceRule}.namespaces`, "must not specify other namespaces"],
    [`${otherRule}.verbs`, '"patch", "proxy", "update", "watch"'],
    [`${otherRule}.nonResourceURLs`, "must not specify other non-resource URLs"],
  ),
  refused(
    "paths begin with a slash, and a wildcard is only valid at the end",
    schema(
      ruled({
        nonResourceRules: [
          { verbs: ["get"], nonResourceURLs: ["bad", "/a*", "/a/*/b", "/ok/*", "/a b", ""] },
        ],
      }),
    ),
    [`${otherRule}.nonResourceURLs[0]`, "must start with slash"],
    [`${otherRule}.nonResourceURLs[1]`, "wildcard can only do suffix matching"],
    [`${otherRule}.nonResourceURLs[2]`, "wildcard can only do suffix matching"],
    [`${otherRule}.nonResourceURLs[4]`, "must not contain white-space"],
    [`${otherRule}.nonResourceURLs[5]`, "must not be empty"],
  ),
];
