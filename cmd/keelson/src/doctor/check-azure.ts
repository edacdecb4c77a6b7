import { resourceGroupId } from "@keelson/arm";
import { connectAzure, missingAction, permissionsOn } from "@keelson/azure";
import { http1Only, httpConnectTimeoutMs, messageOf, silentLogger } from "@keelson/base";
import { serviceAccount } from "@keelson/env";
import { Agent, request } from "undici";
import { shellWord } from "../output/shell-word.ts";
import { checkApplicationSecret } from "./check-application-secret.ts";
import { compareClocks } from "./clock-skew.ts";
import { type Finding, failed, ok, skipped } from "./finding.ts";
import type { Installation } from "./installation.ts";

/** Actions that the service needs on the DNS zone. */
const zoneActions = [
  "Microsoft.Network/dnsZones/A/read",
  "Microsoft.Network/dnsZones/A/write",
  "Microsoft.Network/dnsZones/A/delete",
];
/** Actions that the service needs on the container registry, if the configuration names a registry. */
const registryActions = [
  "Microsoft.ContainerRegistry/registries/read",
  "Microsoft.ContainerRegistry/registries/tokens/read",
  "Microsoft.ContainerRegistry/registries/tokens/write",
  "Microsoft.ContainerRegistry/registries/tokens/delete",
  "Microsoft.ContainerRegistry/registries/generateCredentials/action",
];

/**
 * Checks that Azure responds, and that Azure's clock matches the clock of this machine. Also checks that the service has all
 * required permissions.
 */
export async function checkAzure(installation: Installation): Promise<readonly Finding[]> {
  const { config, embedded, holder } = installation;
  if (embedded && holder === undefined)
    return [skipped("azure", 'the simulated Azure does not run: "keelson up" starts it')];
  const reached = await reach(installation);
  if (reached.some(({ check, status }) => check === "azure" && status === "failed")) return reached;
  const group = resourceGroupId(config.subscriptionId, config.resourceGroup);
  const zone = `${group}/providers/Microsoft.Network/dnsZones/${config.domain}`;
  const { containerRegistry: registry } = config;
  const rights = [
    await checkRights(installation, `the DNS zone ${config.domain}`, zone, zoneActions),
    ...(registry
      ? [
          await checkRights(
            installation,
            `the registry ${registry.domain}`,
            registry.resourceId,
            registryActions,
          ),
        ]
      : []),
  ];
  return [...reached, ...rights, ...(await checkApplicationSecret(installation))];
}

async function reach({ config, clock, signal }: Installation): Promise<readonly Finding[]> {
  const { armEndpoint } = config.azure;
  try {
    const { azure } = serviceAccount(config);
    const agent = new Agent({ ...http1Only, connect: { timeout: httpConnectTimeoutMs, ca: azure.caPem } });
    try {
      const { headers, body } = await request(armEndpoint, { dispatcher: agent, signal });
      await body.dump();
      const date = new Date(String(headers.date ?? ""));
      const clocks = Number.isNaN(date.getTime()) ? [] : [compareClocks("Azure", date, clock.now())];
      return [ok("azure", `${armEndpoint} answers`), ...clocks];
    } finally {
      await agent.destroy();
    }
  } catch (error) {
    signal.throwIfAborted();
    return [
      failed(
        "azure",
        `${armEndpoint} does not answer: ${messageOf(error)}`,
        "see that it can be reached from here, by way of the proxy if there is one, and that azure.caFile is right",
        `curl -v ${config.azure.caFile === undefined ? "" : `--cacert ${shellWord(config.azure.caFile)} `}${shellWord(armEndpoint)}`,
      ),
    ];
  }
}

async function checkRights(
  { config, signal }: Installation,
  what: string,
  resourceId: string,
  actions: readonly string[],
): Promise<Finding> {
  const check = `rights on ${what}`;
  const { clientId } = config.firstParty;
  try {
    const { azure, signedIn } = serviceAccount(config);
    const clients = connectAzure({
      environment: azure,
      credential: signedIn,
      subscriptionId: config.subscriptionId,
      logger: silentLogger,
    });
    const permissions = await permissionsOn(clients, resourceId, signal);
    const missing = actions.filter((action) => missingAction(permissions, [action]) !== undefined);
    if (missing.length === 0) return ok(check, `application ${clientId} has those that the service needs`);
    return failed(
      check,
      `application ${clientId} lacks ${missing.join(", ")}`,
      `assign it a role with these actions on ${resourceId}`,
      `az role assignment create --assignee ${clientId} --role <role> --scope ${resourceId}`,
    );
  } catch (error) {
    signal.throwIfAborted();
    const message = messageOf(error);
    const summary = message.slice(0, 500);
    return /AADSTS/.test(message)
      ? failed(
          check,
          summary,
          "correct firstParty of the configuration: the secret may have ended, or the secret or certificate may belong to a different application",
          `az ad app credential list --id ${clientId}`,
        )
      : failed(
          check,
          summary,
          `see that ${resourceId} exists, and that application ${clientId} has a role on it`,
          `az resource show --ids ${resourceId}`,
        );
  }
}
