import { singleton } from "@keelson/aro-api";
import { named, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";
import { done } from "../../runtime/aro-controller.ts";
import {
  clusterVersionChanged,
  clusterVersionPermission,
  getClusterVersion,
  installedVersion,
  isBefore,
} from "../../runtime/cluster-version.ts";
import { switchedOn } from "../../runtime/flags.ts";
import { managing, may } from "../../runtime/may.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";

const { adminNetworkPolicies } = resources;
const name = "aro-cco-deny-pprof";
/** First OpenShift release with AdminNetworkPolicies. */
const firstRelease = [4, 17, 0] as const;

/**
 * Policy that denies network access to the profiling endpoint of the cloud credential operator. Its profiles may contain
 * credentials.
 */
const policy: WantedObject = {
  metadata: { name },
  spec: {
    priority: 50,
    subject: {
      namespaces: { matchLabels: { "kubernetes.io/metadata.name": "openshift-cloud-credential-operator" } },
    },
    ingress: [
      {
        name: "deny-pprof",
        action: "Deny",
        ports: [{ portNumber: { protocol: "TCP", port: 6060 } }],
        from: [{ namespaces: {} }],
      },
    ],
  },
};

export const networkPolicy: RegisteredController = {
  name: "NetworkPolicy",
  flag: "aro.ccopprof.enabled",
  flags: { "aro.ccopprof.enabled": switchedOn },
  documentation: {
    purpose: "In OpenShift 4.17 and later: AdminNetworkPolicy `aro-cco-deny-pprof`.",
    improvement: "Repairs immediately. Deletes the policy when the flag is switched off.",
  },
  watches: [
    watchFor(adminNetworkPolicies, singleton, {
      selection: { fieldSelector: `metadata.name=${name}` },
      where: named(name),
    }),
    clusterVersionChanged,
  ],
  permissions: [
    may(managing, "policy.networking.k8s.io", ["adminnetworkpolicies"], { resourceNames: [name] }),
    clusterVersionPermission,
  ],
  async reconcile({ objects }) {
    const version = installedVersion(await getClusterVersion(objects));
    if (!isBefore(version, firstRelease)) await objects.ensure(adminNetworkPolicies, policy);
    return done;
  },
  async disabled({ cache, objects }) {
    if (cache.known(adminNetworkPolicies, { name })?.object)
      await objects.remove(adminNetworkPolicies, { name });
    return done;
  },
};
