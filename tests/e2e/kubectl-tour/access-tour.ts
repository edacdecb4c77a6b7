import type { TourStep } from "./step.ts";

const robot = "--as=system:serviceaccount:NS:robot";

/** Commands about identities and permissions. */
export const accessTour: readonly TourStep[] = [
  { command: "create serviceaccount robot", says: /serviceaccount\/robot created/ },
  { command: "create role reader --verb=get,list,watch --resource=pods", says: /role\S* created/ },
  { command: "create rolebinding reader --role=reader --serviceaccount=NS:robot", says: /created/ },
  { command: "create clusterrole NS --verb=get --resource=nodes", says: /created/ },
  { command: "create clusterrolebinding NS --clusterrole=NS --serviceaccount=NS:robot", says: /created/ },
  { command: `auth can-i list pods ${robot}`, says: /^yes$/m },
  { command: `auth can-i delete pods ${robot}`, says: /^no/m, code: 1 },
  { command: `auth can-i get nodes ${robot}`, says: /^yes$/m },
  { command: `auth can-i --list ${robot}`, says: /pods\s+\[\]\s+\[\]\s+\[get list watch\]/ },
  { command: `get pods ${robot}`, says: /No resources found|NAME/ },
  {
    command: `create configmap no ${robot}`,
    says: /configmaps is forbidden: User "system:serviceaccount:NS:robot" cannot create resource "configmaps" in API group "" in the namespace "NS"/,
    code: 1,
  },
  {
    command: `get secrets --all-namespaces ${robot}`,
    says: /secrets is forbidden: User "system:serviceaccount:NS:robot" cannot list resource "secrets" in API group "" at the cluster scope/,
    code: 1,
  },
  { command: "auth whoami", since: 28, says: /Username\s+system:admin/ },
  { command: "create token robot", since: 24, says: /^eyJ/ },
  { command: "describe rolebinding reader", says: /ServiceAccount\s+robot\s+NS/ },
  { command: "get clusterroles view -o name", says: /clusterrole\.rbac\.authorization\.k8s\.io\/view/ },
  { command: "delete clusterrolebinding NS", says: /deleted/ },
  { command: "delete clusterrole NS", says: /deleted/ },
];
