import { randomUUID } from "node:crypto";
import { parseResourceId, resourceNameOf } from "@keelson/arm";
import { operatorNamespace } from "@keelson/aro-api";
import { unlessGone } from "@keelson/azure";
import { Secret, stringAt } from "@keelson/base";
import { registryPullSecret } from "@keelson/installers";
import { type KubeObject, resources } from "@keelson/kube";
import { type OpenShiftCluster, type RegistryProfile, withProperties } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import type { ContainerRegistry } from "../context/environment.ts";
import { clusterErrors } from "../context/errors.ts";
import { mergePullSecrets } from "./pull-secrets.ts";

type PasswordName = "password1" | "password2";

const dayMs = 86_400_000;
/** Age in ms at which a registry password is replaced. Azure invalidates passwords after 180 days. */
const rotateAfterMs = 140 * dayMs;
const lifetimeMs = 180 * dayMs;

/**
 * Creates a token of the service's registry for the cluster. Stores the token's name before it creates the token, so that the
 * cluster's document names every existing token. Does nothing if the service has no registry.
 */
export async function ensureACRToken(context: ClusterContext): Promise<void> {
  const { registry } = context.environment;
  if (!registry) return;
  const fresh = { name: registry.domain, username: `token-${randomUUID()}` };
  const cluster = await context.update((current) =>
    profileOf(current, registry) ? current : withProfile(current, fresh),
  );
  const profile = profileOf(cluster, registry);
  if (!profile || profile.password?.reveal()) return;
  const { azure, group, name } = registryClient(context, registry);
  const { tokens } = azure.registries;
  const call = azure.call(context.signal);
  const scopeMapId = `${registry.resourceId}/scopeMaps/_repositories_pull`;
  await tokens.create(group, name, profile.username, { scopeMapId, status: "enabled" }, call);
  await renewPassword(context, registry, profile, "password1");
}

/**
 * Replaces the older of the token's two passwords if the newer password expires soon. Then deploys the newest password to the
 * cluster, even if no password was replaced.
 */
export async function rotateACRTokenPassword(context: ClusterContext): Promise<void> {
  const { registry } = context.environment;
  if (!registry) return;
  await ensureACRToken(context);
  const profile = profileOf(context.cluster, registry);
  if (profile && isDue(profile, context.clock.now())) {
    await renewPassword(context, registry, profile, await passwordToRenew(context, registry, profile));
  }
  await deployPullSecret(context);
}

/** Fails if the registry password should be replaced. The monitor detects this failure and triggers an administrator's update. */
export async function checkACRToken({ cluster, environment, clock }: ClusterContext): Promise<void> {
  const { registry } = environment;
  if (!registry) return;
  const { issueDate } = profileOf(cluster, registry) ?? {};
  if (issueDate === undefined) throw new Error("no issue date detected, please rotate token");
  const ageMs = clock.now().getTime() - Date.parse(issueDate);
  if (ageMs >= lifetimeMs) throw new Error("token is expired");
  if (ageMs <= rotateAfterMs) return;
  const [due, left] = [duration(ageMs - rotateAfterMs), duration(lifetimeMs - ageMs)];
  throw new Error(`token able to be renewed for ${due}, ${left} validity remaining, please rotate`);
}

/** Formats a duration in the format of Go. */
function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 3600)}h${Math.floor((seconds % 3600) / 60)}m${seconds % 60}s`;
}

export async function deleteACRToken(context: ClusterContext): Promise<void> {
  const { registry } = context.environment;
  const profile = registry && profileOf(context.cluster, registry);
  if (!profile) return;
  const { azure, group, name } = registryClient(context, registry);
  const { tokens } = azure.registries;
  await unlessGone(() => tokens.delete(group, name, profile.username, azure.call(context.signal)));
}

async function renewPassword(
  context: ClusterContext,
  registry: ContainerRegistry,
  profile: RegistryProfile,
  name: PasswordName,
): Promise<void> {
  const client = registryClient(context, registry);
  const { registries } = client.azure.registries;
  const tokenId = `${registry.resourceId}/tokens/${profile.username}`;
  const call = client.azure.call(context.signal);
  const made = await registries.generateCredentials(client.group, client.name, { tokenId, name }, call);
  const value = made.passwords?.find((each) => each.name === name)?.value;
  if (!value) throw new Error(`the registry gave ${profile.username} no ${name}`);
  const issueDate = context.clock.now().toISOString();
  await context.update((cluster) =>
    withProfile(cluster, { ...profile, password: new Secret(value), issueDate }),
  );
}

async function passwordToRenew(
  context: ClusterContext,
  registry: ContainerRegistry,
  profile: RegistryProfile,
): Promise<PasswordName> {
  const { azure, group, name } = registryClient(context, registry);
  const { tokens } = azure.registries;
  const token = await tokens.get(group, name, profile.username, azure.call(context.signal));
  const madeAt = (wanted: PasswordName) =>
    token.credentials?.passwords?.find((each) => each.name === wanted)?.creationTime?.getTime() ?? 0;
  return madeAt("password2") < madeAt("password1") ? "password2" : "password1";
}

/** Merges the token into two Secrets: the ARO operator's backup of the pull secret, and the cluster's pull secret. */
async function deployPullSecret(context: ClusterContext): Promise<void> {
  const { cluster, kube, signal } = context;
  const own = registryPullSecret(cluster);
  for (const key of [
    { namespace: operatorNamespace, name: "cluster" },
    { namespace: "openshift-config", name: "pull-secret" },
  ]) {
    const live = await kube().find(resources.secrets, key, signal);
    if (!live) continue;
    const before = Buffer.from(stringAt(live, "data", ".dockerconfigjson") ?? "", "base64").toString("utf8");
    const merged = mergePullSecrets(before, own.reveal());
    if (merged === before) continue;
    const data = { ".dockerconfigjson": Buffer.from(merged).toString("base64") };
    const metadata = versionOf(live);
    await kube().mergePatch(resources.secrets, key, { metadata, data }, signal);
  }
}

/**
 * Returns the resource version for a patch. With the version, the patch fails if the object was changed since the read, and the
 * step is retried.
 */
function versionOf({ metadata }: KubeObject): { readonly resourceVersion?: string } {
  const { resourceVersion } = metadata;
  if (resourceVersion === undefined) throw clusterErrors.ClusterNotReady("an object has no version");
  return { resourceVersion };
}

function registryClient({ environment, connection }: ClusterContext, { resourceId }: ContainerRegistry) {
  const id = parseResourceId(resourceId);
  if (!id) throw new Error(`${resourceId} is not the ID of a registry`);
  const azure = environment.connectAzure(id.subscriptionId, connection);
  return { azure, group: id.resourceGroup, name: resourceNameOf(resourceId) };
}

function profileOf({ properties }: OpenShiftCluster, { domain }: ContainerRegistry) {
  return properties.registryProfiles?.find(({ name }) => name === domain);
}

function withProfile(cluster: OpenShiftCluster, profile: RegistryProfile): OpenShiftCluster {
  const { registryProfiles = [] } = cluster.properties;
  const others = registryProfiles.filter(({ name }) => name !== profile.name);
  return withProperties(cluster, { registryProfiles: [...others, profile] });
}

function isDue({ issueDate }: RegistryProfile, now: Date): boolean {
  return issueDate === undefined || now.getTime() - Date.parse(issueDate) > rotateAfterMs;
}
