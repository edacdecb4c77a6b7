import { randomInt } from "node:crypto";
import { CloudError } from "@keelson/arm";
import { isPlainObject, listAt, numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { checkName, checkPlatformNamespace, isName } from "../context/object-rules.ts";

/** Job with one pod and one container. The container is never restarted, so its log can be followed. */
export interface RunnableJob {
  readonly object: KubeObject;
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
}

const defaultNamespace = "openshift-azure-operator";
/** Maximum length of the base name. A hyphen and five characters are added to it, and a DNS label has at most 63 characters. */
const baseNameLength = 57;
/** Characters of the random suffix. Vowels are omitted to avoid words, as in the generated names of Kubernetes. */
const suffixAlphabet = "bcdfghjklmnpqrstvwxz2456789";

/**
 * Converts an administrator's manifest to a Job with a unique name. The Job is not created in the cluster yet.
 * @throws CloudError Forbidden, InvalidParameter, InvalidRequestContent
 * @see Azure/ARO-RP pkg/frontend/admin_openshiftcluster_runjob.go
 */
export function runnableJob(body: unknown): RunnableJob {
  if (!isPlainObject(body)) throw new CloudError("InvalidRequestContent", "Failed to parse request body.");
  const kind = valueAt(body, "kind");
  if (kind !== undefined && kind !== "" && kind !== "Job")
    throw invalid(`Expected kind 'Job', got '${String(kind)}'.`);
  const baseName = stringAt(body, "metadata", "name") ?? "";
  if (baseName === "") throw invalid("The provided Job manifest must have a non-empty metadata.name.");
  checkName("Job metadata.name", baseName);
  const namespace = stringAt(body, "metadata", "namespace") || defaultNamespace;
  checkName("Job metadata.namespace", namespace);
  checkPlatformNamespace(namespace);
  const container = checkSpec(body);
  const stem = baseName.slice(0, baseNameLength).replace(/[-.]+$/, "");
  if (stem === "") throw invalid("The provided Job metadata.name reduces to empty after truncation.");
  const name = `${baseName.length > baseNameLength ? stem : baseName}-${suffix()}`;
  const { labels, annotations } = objectAt(body, "metadata");
  const spec = { ...objectAt(body, "spec"), backoffLimit: 0 };
  const metadata = {
    name,
    namespace,
    ...(isTexts(labels) ? { labels } : {}),
    ...(isTexts(annotations) ? { annotations } : {}),
  };
  return { object: { apiVersion: "batch/v1", kind: "Job", metadata, spec }, namespace, name, container };
}

/** Validates the spec and returns the name of the only container. */
function checkSpec(job: unknown): string {
  for (const field of ["parallelism", "completions"]) {
    if ((numberAt(job, "spec", field) ?? 1) > 1)
      throw invalid(`Jobs with spec.${field} > 1 are not implemented.`);
  }
  if ((valueAt(job, "spec", "backoffLimit") ?? 0) !== 0)
    throw invalid("Jobs with spec.backoffLimit != 0 are not supported; set it to 0 or omit it.");
  const pod = valueAt(job, "spec", "template", "spec");
  const restartPolicy = stringAt(pod, "restartPolicy") ?? "";
  if (restartPolicy !== "Never" && restartPolicy !== "OnFailure") {
    throw invalid(
      `The Job pod template restartPolicy must be Never or OnFailure, got ${JSON.stringify(restartPolicy)}.`,
    );
  }
  const containers = listAt(pod, "containers");
  if (containers.length !== 1)
    throw invalid(`The Job pod template must define exactly one container, got ${containers.length}.`);
  const name = stringAt(containers[0], "name") ?? "";
  if (name === "") throw invalid("The Job pod template must specify a non-empty container name.");
  if (!isName(name)) throw invalid(`The Job pod template container name '${name}' is invalid.`);
  return name;
}

function suffix(): string {
  return Array.from({ length: 5 }, () => suffixAlphabet[randomInt(suffixAlphabet.length)]).join("");
}

function invalid(message: string): CloudError {
  return new CloudError("InvalidParameter", message);
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isPlainObject(value) && Object.values(value).every((each) => typeof each === "string");
}
