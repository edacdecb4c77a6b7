import { isDeepStrictEqual } from "node:util";
import { listAt, stringAt, stringsAt, valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { type ConfigObserver, configAt } from "@keelson/operator-kit";
import { argumentPath, withArguments } from "./arguments.ts";
import { clusterInput, getSingleton, normal, singleton } from "./inputs.ts";

const issuerPath = argumentPath("service-account-issuer");
const defaultIssuer = "https://kubernetes.default.svc";
const keysPath = "/openid/v1/jwks";

/** Observes the issuers of service account tokens. The first issuer issues tokens. All further issuers are only trusted. */
export const observeServiceAccountIssuer: ConfigObserver = {
  name: "ObserveServiceAccountIssuer",
  paths: [issuerPath, argumentPath("api-audiences"), argumentPath("service-account-jwks-uri")],
  inputs: [clusterInput(resources.kubeApiServers), clusterInput(resources.infrastructures)],
  observe({ objects, existing, report }) {
    const before = stringsAt(configAt(existing, issuerPath));
    const [first = defaultIssuer] = before;
    const issuers = listAt(
      objects.find(resources.kubeApiServers, singleton),
      "status",
      "serviceAccountIssuers",
    );
    const isTrusted = (issuer: unknown) => valueAt(issuer, "expirationTime") !== undefined;
    const nameOf = (issuer: unknown) => stringAt(issuer, "name") ?? "";
    const active = issuers.find((issuer) => !isTrusted(issuer));
    const named = active === undefined ? "" : nameOf(active);
    // If the status contains no issuer, the issuer that API servers already use is kept.
    const isUnsaid = named === "";
    const issuer = isUnsaid ? first : named;
    const trusted = isUnsaid ? before.slice(1) : issuers.filter(isTrusted).map(nameOf);
    // kube-apiserver rejects duplicate issuers, so duplicates are removed.
    const all = [...new Set([issuer, ...trusted])];
    for (const each of all) assertIssuer(each);
    const publicKeys =
      issuer === defaultIssuer
        ? `${apiServerUrl(getSingleton(objects, resources.infrastructures))}${keysPath}`
        : issuer.startsWith("https://")
          ? `${issuer}${keysPath}`
          : undefined;
    if (before.length > 0 && !isDeepStrictEqual(before.toSorted(), all.toSorted()))
      report(
        normal("ObserveServiceAccountIssuer", `ServiceAccount issuer changed from ${first} to ${issuer}`),
      );
    return {
      config: withArguments({
        "service-account-issuer": all,
        "api-audiences": all,
        "service-account-jwks-uri": publicKeys === undefined ? undefined : [publicKeys],
      }),
    };
  },
};

function apiServerUrl(infrastructure: unknown): string {
  const url = stringAt(infrastructure, "status", "apiServerURL");
  if (!url) throw new Error("APIServerURL missing from infrastructure/cluster");
  return url;
}

/** Validates an issuer. An issuer may be any string, but a string with a colon must be a URL. */
function assertIssuer(issuer: string): void {
  if (issuer === "") throw new Error("service-account issuer should not be an empty string");
  if (issuer.includes(":") && !URL.canParse(issuer))
    throw new Error(`service-account issuer contained a ':' but was not a valid URL: "${issuer}"`);
}
