/** Azure's data planes of managed identities: `identity.azure.net`, in Azure Government `identity.usgovcloudapi.net`. */
export const publicIdentityHostSuffix = "identity.azure.net";

/** A host name, with a port where it is not 443. */
export const hostSuffixPattern = "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$";

/**
 * What a URL of identities' credentials must be, where it is something else: the service sends a token of its own there.
 * @param hostSuffix the host, or the domain of the hosts, that may get it, with a port where it is not 443
 */
export function identityUrlFault(identityUrl: string, hostSuffix: string): string | undefined {
  const url = URL.parse(identityUrl);
  const allowed = URL.parse(`https://${hostSuffix}`);
  if (url?.protocol !== "https:") return "an https URL";
  if (url.username !== "" || url.password !== "") return "a URL without a user";
  const isWithin =
    allowed !== null &&
    url.port === allowed.port &&
    (url.hostname === allowed.hostname || url.hostname.endsWith(`.${allowed.hostname}`));
  return isWithin ? undefined : `a URL of ${hostSuffix} or a host below it`;
}
