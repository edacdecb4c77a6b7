import { isFlagOn } from "@keelson/aro-api";
import { messageOf, stringAt } from "@keelson/base";
import { clusterSubnets } from "../../azure/cluster-subnets.ts";
import type { Request } from "../../runtime/operator-context.ts";
import { securityGroupId } from "../azure-subnets/security-group.ts";
import { secretEnd } from "./expiring-credentials.ts";
import { type SubnetGroup, withForeignGroup } from "./foreign-security-group.ts";
import { RecurringQuestion } from "./recurring-question.ts";

export interface Findings {
  readonly subnets: readonly SubnetGroup[];
  /** Expiry of the client secret. Undefined if it is unknown. */
  readonly secretEnd: Date | undefined;
  /** Cause of the failed read of the subnets. Undefined after a successful read. */
  readonly failure: string | undefined;
  /** Time in ms until the next read. */
  readonly leftMs: number;
}

export interface Intervals {
  readonly subnetsMs: number;
  /**
   * Time in ms that a foreign security group must exist before it is reported. The operator usually restores the cluster's group
   * within this time.
   */
  readonly confirmMs: number;
  readonly failureMs: number;
  readonly secretMs: number;
}

interface Subnets {
  readonly subnets: readonly SubnetGroup[];
  /** True if the last read found foreign security groups. They are reported only if a second read confirms them. */
  readonly suspected: boolean;
  readonly failure?: string;
}

/** Caches the Azure results for the cluster of one operator. A node change therefore does not cause new requests to Azure. */
export class AzureFindings {
  readonly #subnets = new RecurringQuestion<Subnets>();
  readonly #secret = new RecurringQuestion<Date | undefined>();
  readonly #intervals: Intervals;

  constructor(intervals: Intervals) {
    this.#intervals = intervals;
  }

  async read(request: Request): Promise<Findings> {
    const nowMs = request.clock.monotonicMs();
    const subnets = await this.#readSubnets(request, nowMs);
    const secret = await this.#readSecret(request, nowMs);
    return {
      subnets: subnets.value.suspected ? [] : subnets.value.subnets,
      secretEnd: secret.value,
      failure: subnets.value.failure,
      leftMs: Math.min(subnets.leftMs, secret.leftMs),
    };
  }

  #readSubnets(request: Request, nowMs: number) {
    const { cache, cluster, flags } = request;
    const { subnetsMs, confirmMs, failureMs } = this.#intervals;
    // If this flag is off, the operator does not manage the security groups, and the customer may change them.
    const isManaged = isFlagOn(flags, "aro.azuresubnets.nsg.managed");
    const { subnets } = clusterSubnets(cluster, cache);
    const { clusterResourceGroupId, infraId, architectureVersion } = cluster.spec ?? {};
    const facts = [isManaged, subnets, clusterResourceGroupId, infraId, architectureVersion];
    return this.#subnets.result(JSON.stringify(facts), nowMs, async (before) => {
      if (!isManaged) return { value: { subnets: [], suspected: false }, goodForMs: subnetsMs };
      try {
        const groups: SubnetGroup[] = [];
        for (const subnet of subnets) {
          const live = await request.azure.find(subnet.id);
          const groupId = stringAt(live, "properties", "networkSecurityGroup", "id");
          groups.push({ subnetId: subnet.id, groupId, wantedId: securityGroupId(cluster, subnet) });
        }
        const isForeign = withForeignGroup(groups).length > 0;
        const wasForeign = before !== undefined && withForeignGroup(before.subnets).length > 0;
        const value = { subnets: groups, suspected: isForeign && !wasForeign };
        return { value, goodForMs: isForeign ? confirmMs : subnetsMs };
      } catch (error) {
        request.signal.throwIfAborted();
        const failure = messageOf(error);
        // After a failed request, earlier findings are kept.
        const known = { subnets: before?.subnets ?? [], suspected: before?.suspected ?? false };
        return { value: { ...known, failure }, goodForMs: failureMs };
      }
    });
  }

  /**
   * Reads the expiry of the client secret. Most principals have no permission to read their own application, so a failed read is
   * not reported.
   */
  #readSecret({ azure, environment, logger, signal }: Request, nowMs: number) {
    const { clientId, usesWorkloadIdentity } = azure.principal;
    const secret = environment.AZURE_CLIENT_SECRET ?? "";
    const goodForMs = this.#intervals.secretMs;
    return this.#secret.result(clientId, nowMs, async () => {
      if (usesWorkloadIdentity || secret === "" || !/^[\w-]+$/.test(clientId))
        return { value: undefined, goodForMs };
      try {
        const graph = await azure.graph();
        const query = { $select: "passwordCredentials" };
        const application = await graph?.get(`/v1.0/applications(appId='${clientId}')`, query, signal);
        return { value: secretEnd(application, secret), goodForMs };
      } catch (error) {
        signal.throwIfAborted();
        logger.debug({ error: messageOf(error) }, "the end of the client secret cannot be known");
        return { value: undefined, goodForMs };
      }
    });
  }
}
