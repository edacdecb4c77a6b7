import type { DeployContext } from "./context.ts";
import { retryWhilePropagating } from "./retry-while-propagating.ts";

/** Publishes the region's version at `rpversion/{location}` on the static website for versions. */
export async function saveVersion(context: DeployContext): Promise<void> {
  const { region, version, cloud, signal, report } = context;
  const account = region.configuration.rpVersionStorageAccountName;
  report({ phase: "version", kind: "state", text: `${version} of ${region.location} in ${account}` });
  const accountUrl = cloud.containerUrl(account, "").replace(/\/$/, "");
  await retryWhilePropagating(() => context.enableWebsite(accountUrl, signal), context);
  const website = context.connectContainer(cloud.containerUrl(account, "$web"));
  const content = Buffer.from(version);
  await retryWhilePropagating(
    () => website.put(`rpversion/${region.location}`, content, "text/plain", signal),
    context,
  );
}
