import { type KubeObject, type StatusCause, sameJson } from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import {
  builtinKinds,
  checkChange,
  checkType,
  Findings,
  type Strategy,
  typeOf,
  withTypeDefaults,
} from "@keelson/kinds";
import { bindingRules, policyRules } from "../admission/configuration/policy-rules.ts";
import { webhookConfigurationRules } from "../admission/configuration/webhook-rules.ts";
import { type DirectoryContext, definitionStrategy } from "../definitions/definition-strategy.ts";
import { bucketOf, parseApiVersion } from "../resources/served-resource.ts";

/** Strategy of a kind. It includes the defaults and validation of the kind's type. */
interface CompleteStrategy extends Omit<Strategy<DirectoryContext>, "applyDefaults"> {
  readonly applyDefaults?: (
    object: KubeObject,
    current: KubeObject | undefined,
    context: Omit<DirectoryContext, "withTypeDefaults">,
  ) => KubeObject;
}

/** Returns the strategy for a bucket. The strategy combines the kind's rules with the rules of the kind's type. */
export function strategyFor(bucket: string): CompleteStrategy {
  return strategies.get(bucket) ?? none;
}

const none: CompleteStrategy = {};

/** Strategies by bucket, for kinds with rules that need expressions, schemas or the cluster's resources. */
const ownStrategies: Readonly<Record<string, Strategy<DirectoryContext>>> = {
  "admissionregistration.k8s.io/mutatingwebhookconfigurations": webhookConfigurationRules,
  "admissionregistration.k8s.io/validatingadmissionpolicies": policyRules,
  "admissionregistration.k8s.io/validatingadmissionpolicybindings": bindingRules,
  "admissionregistration.k8s.io/validatingwebhookconfigurations": webhookConfigurationRules,
  "apiextensions.k8s.io/customresourcedefinitions": definitionStrategy,
};

const strategies: ReadonlyMap<string, CompleteStrategy> = new Map(
  builtinKinds.map(({ group, plural, strategy = {} }) => {
    const bucket = bucketOf(group, plural);
    return [bucket, withTypeRules(ownStrategies[bucket] ?? strategy)];
  }),
);

function withTypeRules(strategy: Strategy<DirectoryContext>): CompleteStrategy {
  return {
    ...strategy,
    applyDefaults: (object, current, context) => {
      const own =
        strategy.applyDefaults?.(object, current, { ...context, withTypeDefaults: defaulted }) ?? object;
      return { ...own, ...defaulted(own) };
    },
    validate: (object, current) => [
      ...typeCauses(object, current),
      ...(strategy.validate?.(object, current) ?? []),
    ],
  };
}

/** Returns an object with the defaults of its type. */
function defaulted(object: KubeObject): Readonly<Record<string, unknown>> {
  const type = typeOf({ ...parseApiVersion(object.apiVersion), kind: object.kind });
  return type ? withTypeDefaults(type, object) : object;
}

/** Returns the validation errors of the object's type. Fields that an update does not change are not validated again. */
function typeCauses(object: KubeObject, current: KubeObject | undefined): readonly StatusCause[] {
  const type = typeOf({ ...parseApiVersion(object.apiVersion), kind: object.kind });
  if (!type) return [];
  const findings = new Findings();
  if (current && onlyMetadataAndStatusDiffer(object, current)) {
    const status = type.fields.get("status")?.schema;
    if (status?.type !== "object" || sameJson(object.status, current.status)) return [];
    findings.enter("status");
    checkType(status, objectAt(object, "status"), findings);
    return findings.causes;
  }
  checkType(type, object, findings);
  if (current) checkChange(type, object, current, findings);
  return findings.causes;
}

function onlyMetadataAndStatusDiffer(object: KubeObject, current: KubeObject): boolean {
  const ignored = ["metadata", "status", "apiVersion"];
  return [...Object.keys(object), ...Object.keys(current)].every(
    (member) => ignored.includes(member) || sameJson(object[member], current[member]),
  );
}
