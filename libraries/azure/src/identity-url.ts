/** Azure's data planes of managed identities: `identity.azure.net`, in Azure Government `identity.usgovcloudapi.net`. */
export const publicIdentityHostSuffix = "identity.azure.net";

/** Host name, with a port other than 443. */
export const hostSuffixPattern = "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$";

/**
 * Validates a URL of identity credentials, to which the service sends its own token. Returns a description of
 * a valid URL, or undefined if it is valid.
 * @param hostSuffix host, or domain of the hosts, that may receive the token, with a port other than 443
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
