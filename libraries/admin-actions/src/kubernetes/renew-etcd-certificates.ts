import { X509Certificate } from "node:crypto";
import { CloudError } from "@keelson/arm";
import { listAt, messageOf, numberAt, stringAt, withTimeout } from "@keelson/base";
import { conditionStatus, findCondition, type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { compareVersions, parseVersion } from "@keelson/model";
import type { ActionContext } from "../context/action-context.ts";
import type { ActionJournal } from "../context/action-journal.ts";
import { cleanUp } from "./clean-up.ts";
import { memberSecretPrefixes } from "./recover-etcd.ts";
import { untilObject } from "./until-object.ts";

const namespace = "openshift-etcd";
const masters = [0, 1, 2];
const dayMs = 86_400_000;
/** Minimum remaining validity of a renewed certificate in days. The operator issues certificates for three years. */
const renewedDays = 1_000;
const rolloutLimitMs = 30 * 60_000;
/** First version in which the operator renews certificates automatically. */
const selfRenewing = { major: 4, minor: 9, patch: 0 };

/**
 * Deletes the nine certificate secrets, so that the etcd operator renews the certificates of all members. Waits for the rollout.
 * If the rollout does not complete, restores the secrets. OpenShift 4.9 and later renew the certificates automatically. @throws
 * CloudError Forbidden for OpenShift 4.9 and later, InternalServerError if etcd is unhealthy or the renewal fails; KubeError of
 * the cluster
 * @see Azure/ARO-RP pkg/frontend/admin_openshiftcluster_etcdcertificaterenew.go
 */
export async function renewEtcdCertificates(context: ActionContext, journal: ActionJournal): Promise<void> {
  const { clock, signal, document } = context;
  const kube = context.kube();
  await checkVersion(kube, signal);
  const { infraId = "" } = document.openShiftCluster.properties;
  const names = masters.flatMap((index) =>
    memberSecretPrefixes.map((prefix) => `${prefix}${infraId}-master-${index}`),
  );
  const before = await healthySecrets(kube, names, clock.now(), signal);
  const revision = await currentRevision(kube, signal);
  journal.report(`Etcd is well, at revision ${revision}. Deleting ${names.length} secrets.`);
  try {
    for (const name of names) await kube.delete(resources.secrets, { namespace, name }, signal);
    await untilRevised(context, revision);
  } catch (error) {
    context.logger.warn(
      { reason: messageOf(error) },
      "etcd certificates were not renewed; putting them back",
    );
    journal.report("The certificates were not renewed. Putting the old ones back.");
    await putBack(context, before);
    throw new CloudError(
      "InternalServerError",
      "etcd renewal failed, recovery performed to revert the changes.",
      { cause: error },
    );
  }
  const after = await healthySecrets(kube, names, clock.now(), signal);
  const old = after.filter((secret) => daysLeft(secret, clock.now()) < renewedDays);
  if (old.length > 0) {
    throw new CloudError(
      "InternalServerError",
      `etcd certificates renewal not successful, as at least one or all certificates are not renewed: ${old.map(({ metadata }) => metadata.name).join(", ")}`,
    );
  }
}

async function checkVersion(kube: KubeClient, signal: AbortSignal): Promise<void> {
  const clusterVersion = await kube.get(resources.clusterVersions, { name: "version" }, signal);
  const completed = listAt(clusterVersion, "status", "history").find(
    (each) => stringAt(each, "state") === "Completed",
  );
  const version = parseVersion(stringAt(completed, "version") ?? "");
  if (!version)
    throw new CloudError(
      "InternalServerError",
      "the cluster's version is not known: no update has completed",
    );
  if (compareVersions(version, selfRenewing) >= 0) {
    throw new CloudError(
      "Forbidden",
      "etcd certificate renewal is not needed for cluster running version 4.9+",
    );
  }
}

/**
 * Checks etcd's health and returns the certificate Secrets.
 * @throws CloudError InternalServerError if etcd is unhealthy or a certificate has expired; KubeError NotFound
 */
async function healthySecrets(
  kube: KubeClient,
  names: readonly string[],
  now: Date,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const etcd = await kube.get(resources.etcds, { name: "cluster" }, signal);
  const signer = conditionStatus(etcd, "EtcdCertSignerControllerDegraded") ?? "False";
  if (signer !== "False") throw unwell(`EtcdCertSignerControllerDegraded is in state ${signer}, quiting.`);
  const operator = await kube.get(resources.clusterOperators, { name: "etcd" }, signal);
  const expected = { Available: "True", Progressing: "False", Degraded: "False" };
  for (const [type, status] of Object.entries(expected)) {
    if ((conditionStatus(operator, type) ?? status) !== status)
      throw unwell("Etcd Operator is not in expected state, quiting.");
  }
  const available = findCondition(operator, "Available");
  if (available !== undefined && stringAt(available, "reason") !== "AsExpected")
    throw unwell("Etcd Operator Available state is not AsExpected, quiting.");
  const secrets = await Promise.all(
    names.map((name) => kube.get(resources.secrets, { namespace, name }, signal)),
  );
  for (const secret of secrets) {
    if (daysLeft(secret, now) < 0)
      throw unwell(`secret ${secret.metadata.name} is already expired, quitting.`);
  }
  return secrets;
}

function daysLeft(secret: KubeObject, now: Date): number {
  try {
    const pem = Buffer.from(stringAt(secret, "data", "tls.crt") ?? "", "base64");
    return (new X509Certificate(pem).validToDate.getTime() - now.getTime()) / dayMs;
  } catch (cause) {
    throw new CloudError(
      "InternalServerError",
      `invalid cert data when parsing secret: ${secret.metadata.name}`,
      { cause },
    );
  }
}

async function currentRevision(kube: KubeClient, signal: AbortSignal): Promise<number> {
  const etcd = await kube.get(resources.etcds, { name: "cluster" }, signal);
  return numberAt(etcd, "status", "latestAvailableRevision") ?? 0;
}

/** Waits until all members run a revision that is newer than `revision`. */
async function untilRevised(context: ActionContext, revision: number): Promise<void> {
  const place = { kube: context.kube(), clock: context.clock };
  const limited = withTimeout(context.signal, rolloutLimitMs);
  await untilObject(place, resources.etcds, {}, (etcd) => isRevised(etcd, revision), limited);
}

export function isRevised(etcd: KubeObject, revision: number): boolean {
  const latest = numberAt(etcd, "status", "latestAvailableRevision") ?? 0;
  if (latest === revision) return false;
  return listAt(etcd, "status", "nodeStatuses").every((each) => numberAt(each, "currentRevision") === latest);
}

/** Restores the Secrets, even if the action was aborted. Waits for the rollout only if the action was not aborted. */
async function putBack(context: ActionContext, secrets: readonly KubeObject[]): Promise<void> {
  let revision = 0;
  const done = await cleanUp(context, `certificates of etcd in ${namespace}`, async (kube, signal) => {
    revision = await currentRevision(kube, signal);
    for (const secret of secrets) {
      const { name, labels, annotations } = secret.metadata;
      const metadata = {
        name,
        namespace,
        ...(labels ? { labels } : {}),
        ...(annotations ? { annotations } : {}),
      };
      await kube.ensure(resources.secrets, { ...secret, metadata }, signal);
    }
  });
  if (!done) {
    throw new CloudError(
      "InternalServerError",
      `etcd renewal failed, and the old certificates could not be put back: check the secrets of ${namespace}.`,
    );
  }
  if (!context.signal.aborted) await untilRevised(context, revision);
}

function unwell(message: string): CloudError {
  return new CloudError("InternalServerError", message);
}
