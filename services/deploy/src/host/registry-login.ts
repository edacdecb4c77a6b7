/**
 * Returns a shell script that signs podman in to the registry with the machine's managed identity. The script exchanges the
 * identity's token for a registry token. Secrets are passed through pipes, never in arguments.
 */
export function registryLoginScript(options: {
  readonly registry: string;
  readonly identityClientId: string;
  readonly armAudience: string;
  readonly tenantId: string;
}): string {
  const { registry, identityClientId, armAudience, tenantId } = options;
  const metadata = new URL("http://169.254.169.254/metadata/identity/oauth2/token");
  metadata.searchParams.set("api-version", "2018-02-01");
  metadata.searchParams.set("client_id", identityClientId);
  metadata.searchParams.set("resource", armAudience);
  return `#!/bin/sh
# Signs podman in to ${registry} as this machine.
set -eu
member() { sed -n "s/.*\\"$1\\" *: *\\"\\([^\\"]*\\)\\".*/\\1/p"; }
curl -fsS --retry 10 --retry-connrefused -H Metadata:true '${metadata}' | member access_token |
  curl -fsS --retry 5 'https://${registry}/oauth2/exchange' \\
    --data grant_type=access_token --data service=${registry} --data tenant=${tenantId} \\
    --data-urlencode access_token@- | member refresh_token |
  podman login --username 00000000-0000-0000-0000-000000000000 --password-stdin ${registry}
`;
}
