import type { ClusterClient, KubeObject, LogicalCluster, ResourceRef } from "@keelson/apiserver";
import { listAt, messageOf, objectAt, stringAt } from "@keelson/base";
import { type Controller, done, type Result, watch } from "@keelson/controller";
import { conditionStatus, type ObjectKey } from "@keelson/kube";
import { withConditions } from "../../base/conditions.ts";
import { stringMapAt } from "../../base/fields.ts";
import { ensureObject, writeStatus } from "../../base/objects.ts";
import { namespaced, resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { resourceOf } from "../served/resource-names.ts";
import { processTemplate, templateGroup } from "../templates/process-template.ts";
import { requesterOf } from "../templates/template-requester.ts";

const instances = namespaced(templateGroup, "v1", "templateinstances", "TemplateInstance");

/** Creates the objects of each TemplateInstance once. Later changes are not reconciled. */
export const templateInstances: Controller<Cluster> = {
  name: "template-instances",
  watches: [watch(instances)],
  reconcile: instantiate,
};

async function instantiate(key: ObjectKey, { client, logical, clock }: Cluster): Promise<Result> {
  const instance = await client.find(instances, key);
  const over = ["Ready", "InstantiateFailure"].some((type) => conditionStatus(instance, type) === "True");
  if (!instance || instance.metadata.deletionTimestamp || over) return done;
  const status = objectAt(instance, "status");
  try {
    const objects = await createObjects(logical, instance);
    const ready = { type: "Ready", status: "True", reason: "Created", message: "" } as const;
    const conditions = withConditions(instance, [ready], clock.now());
    await writeStatus(client, instances, instance, { ...status, conditions, objects });
  } catch (error) {
    const failure = {
      type: "InstantiateFailure",
      status: "True",
      reason: "Failed",
      message: messageOf(error),
    } as const;
    const conditions = withConditions(instance, [failure], clock.now());
    await writeStatus(client, instances, instance, { ...status, conditions });
  }
  return done;
}

/**
 * Creates the objects with the requester's permissions.
 * @throws StatusError or Error if the requester may not create an object
 */
async function createObjects(logical: LogicalCluster, instance: KubeObject): Promise<readonly object[]> {
  const { namespace = "" } = instance.metadata;
  const user = requesterOf(instance);
  const client = logical.clientAs({ user });
  const require = async (verb: string, { group, resource }: ResourceRef, name: string) => {
    if (await logical.allows(user, { kind: "resource", verb, group, resource, namespace, name })) return;
    throw new Error(
      `User "${user.name}" cannot ${verb} resource "${resource}" in API group "${group}" in the namespace "${namespace}"`,
    );
  };
  const secret = stringAt(instance, "spec", "secret", "name");
  if (secret) await require("get", resources.secrets, secret);
  const template = withParameters(templateOf(instance), await parametersOf(client, instance));
  const definitions = (await client.list(resources.customResourceDefinitions)).items;
  const created: object[] = [];
  for (const each of listAt(processTemplate(template), "objects")) {
    const object = placed(each, namespace);
    const ref = resourceOf(object, definitions);
    await require("create", ref, object.metadata.name);
    await ensureObject(client, ref, withoutStatus(object));
    const { uid } = (await client.get(ref, object.metadata)).metadata;
    const { apiVersion, kind, metadata } = object;
    created.push({ ref: { apiVersion, kind, name: metadata.name, namespace, uid } });
  }
  return created;
}

function templateOf(instance: KubeObject): KubeObject {
  const template = objectAt(instance, "spec", "template");
  const name = stringAt(template, "metadata", "name") ?? instance.metadata.name;
  return { ...template, apiVersion: `${templateGroup}/v1`, kind: "Template", metadata: { name } };
}

/** Reads the parameters from the instance's secret. */
async function parametersOf(
  client: ClusterClient,
  { metadata, spec }: KubeObject,
): Promise<Record<string, string>> {
  const name = stringAt(spec, "secret", "name");
  if (!name) return {};
  const secret = await client.get(resources.secrets, { namespace: metadata.namespace, name });
  return Object.fromEntries(
    Object.entries(stringMapAt(secret, "data")).map(([key, value]) => [
      key,
      Buffer.from(value, "base64").toString(),
    ]),
  );
}

function withParameters(template: KubeObject, values: Readonly<Record<string, string>>): KubeObject {
  const parameters = listAt(template, "parameters").map((each) => {
    const value = values[stringAt(each, "name") ?? ""];
    return value === undefined ? each : { ...objectAt(each), value };
  });
  const { apiVersion, kind, metadata } = template;
  return { ...template, apiVersion, kind, metadata, parameters };
}

function withoutStatus({ status: _, apiVersion, kind, metadata, ...rest }: KubeObject): KubeObject {
  return { ...rest, apiVersion, kind, metadata };
}

function placed(value: unknown, namespace: string): KubeObject {
  const object = objectAt(value);
  const metadata = objectAt(object, "metadata");
  return {
    ...object,
    apiVersion: stringAt(object, "apiVersion") ?? "",
    kind: stringAt(object, "kind") ?? "",
    metadata: { namespace, ...metadata, name: stringAt(metadata, "name") ?? "" },
  };
}
