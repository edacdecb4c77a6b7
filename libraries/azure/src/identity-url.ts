/** Host suffix of Azure's data planes for managed identities. Azure Government uses `identity.usgovcloudapi.net`. */
export const publicIdentityHostSuffix = "identity.azure.net";

/** Pattern of a host name, with the port if it is not 443. */
export const hostSuffixPattern = "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$";

/**
 * Checks the credential URL of a managed identity. The service sends its own access token to this URL. Returns undefined for a
 * valid URL. For an invalid URL, returns the violated requirement, for example "an https URL".
 * @param hostSuffix host or parent domain that may receive the token, with the port if it is not 443
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
