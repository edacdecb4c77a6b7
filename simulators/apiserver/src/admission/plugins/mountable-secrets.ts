import { type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import type { AdmissionRequest } from "../../resources/admission-request.ts";
import { forbidden } from "../../resources/forbidden.ts";

const enforced = "kubernetes.io/enforce-mountable-secrets";
const trueTexts: ReadonlySet<string> = new Set(["1", "t", "T", "TRUE", "true", "True"]);

/**
 * Rejects a pod if its service account does not list all Secrets that the pod references. The check applies only if an annotation
 * of the service account requires it. Ephemeral containers are checked when they are added.
 * @throws StatusError 403
 */
export function confirmMountable(request: AdmissionRequest, pod: KubeObject, account: KubeObject): void {
  if (!trueTexts.has(account.metadata.annotations?.[enforced] ?? "")) return;
  const { name } = account.metadata;
  const secrets = namesOf(account, "secrets");
  const refuse = (what: string, kind = "secret"): never => {
    throw forbidden(
      request,
      `${what} is not allowed because service account ${name} does not reference that ${kind}`,
    );
  };
  const lists: readonly (readonly [list: string, called: string])[] =
    request.operation === "UPDATE"
      ? [["ephemeralContainers", "ephemeral container"]]
      : [
          ["initContainers", "init container"],
          ["containers", "container"],
        ];
  if (request.operation === "CREATE") {
    for (const volume of listAt(pod, "spec", "volumes")) {
      const secret = scalarStringAt(volume, "secret", "secretName");
      if (secret && !secrets.has(secret)) refuse(`volume with secret.secretName="${secret}"`);
    }
  }
  for (const [list, called] of lists) {
    for (const container of listAt(pod, "spec", list)) {
      const which = `${called} ${scalarStringAt(container, "name")}`;
      for (const variable of listAt(container, "env")) {
        const secret = scalarStringAt(variable, "valueFrom", "secretKeyRef", "name");
        if (secret && !secrets.has(secret))
          refuse(
            `${which} with envVar ${scalarStringAt(variable, "name")} referencing secret.secretName="${secret}"`,
          );
      }
      for (const source of listAt(container, "envFrom")) {
        const secret = scalarStringAt(source, "secretRef", "name");
        if (secret && !secrets.has(secret))
          refuse(`${which} with envFrom referencing secret.secretName="${secret}"`);
      }
    }
  }
  if (request.operation !== "CREATE") return;
  const pullSecrets = namesOf(account, "imagePullSecrets");
  for (const [at, each] of listAt(pod, "spec", "imagePullSecrets").entries()) {
    const secret = scalarStringAt(each, "name");
    if (!pullSecrets.has(secret)) refuse(`imagePullSecrets[${at}].name="${secret}"`, "imagePullSecret");
  }
}

function namesOf(account: KubeObject, list: string): ReadonlySet<string> {
  return new Set(listAt(account, list).map((each) => scalarStringAt(each, "name")));
}
