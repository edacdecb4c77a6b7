import { isPlainObject, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/**
 * Returns a message if the recovery token is incomplete. A node's processes connect with this token after all certificates have
 * expired.
 */
export function recoveryTokenProblem(
  serviceAccount: KubeObject | undefined,
  token: KubeObject | undefined,
): string | undefined {
  if (!serviceAccount) return 'serviceaccounts "localhost-recovery-client" not found';
  if (!token) return 'secrets "localhost-recovery-client-token" not found';
  const subject = `secret ${token.metadata.namespace}/${token.metadata.name} hasn't been populated with`;
  const uid = token.metadata.annotations?.["kubernetes.io/service-account.uid"];
  if (!uid) return `${subject} SA token yet: missing SA UID`;
  if (uid !== serviceAccount.metadata.uid) return `${subject} current SA token yet: SA UID mismatch`;
  const data = valueAt(token, "data");
  if (!isPlainObject(data) || Object.keys(data).length === 0) return `${subject} any data yet`;
  if (!Object.hasOwn(data, "token")) return `${subject} current SA token yet`;
  if (!Object.hasOwn(data, "ca.crt")) return `${subject} current SA token root CA yet`;
  return undefined;
}
