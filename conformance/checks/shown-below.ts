import type { Check } from "../support/check.ts";
import { assertProven, type Proof } from "../support/proof.ts";

const backend = "packages/backend/src/backend.test.ts";
const crashes = "packages/backend/src/crashes.test.ts";
const lifeOfACluster = "packages/backend/src/life-of-a-cluster.test.ts";
const rehearsals = "conformance/rehearsals.test.ts";
const actuator = "packages/maintenance/src/actuator/actuator.test.ts";

function proven(...proofs: readonly Proof[]): () => Promise<void> {
  return async () => assertProven(proofs);
}

/** What no client can see from outside, such as leases and the death of processes: each check names the tests that show it. */
export const shownBelow: readonly Check[] = [
  {
    id: "backend 2",
    what: "a lease is renewed while its worker works, and no other takes the cluster",
    run: proven(
      { file: "packages/backend/src/leases.test.ts", titles: ["renews every 10, and no other takes it"] },
      {
        file: "packages/cluster/src/engine/held-lease.test.ts",
        titles: ["a lease is renewed every heartbeat, and lasts as long as it is"],
      },
    ),
  },
  {
    id: "backend 3",
    what: "after a kill another worker goes on, and nothing is made twice",
    run: proven(
      {
        file: crashes,
        titles: [
          "times at random moments, and drains once, succeeds",
          "an install goes on wherever its worker dies after a change of the cluster's document",
        ],
      },
      {
        file: "packages/cluster/src/steps/oidc.test.ts",
        titles: ["the key is made once: a step that runs again publishes the one that is stored"],
      },
      { file: "e2e/fleet.test.ts", titles: ["one killed half way: each is installed exactly once"] },
    ),
  },
  {
    id: "backend 7",
    what: "members of a document that nobody knows survive an update",
    run: proven({
      file: "e2e/fleet.test.ts",
      titles: ["members that nobody knows survive every later write, at every depth"],
    }),
  },
  {
    id: "backend 8",
    what: "secrets are sealed where they are stored, each at its place, under keys that rotate",
    run: proven(
      {
        file: "packages/database/src/document-codec.test.ts",
        titles: ["a ciphertext opens at its own place only"],
      },
      {
        file: "packages/database/src/store.test.ts",
        titles: [
          "are not readable in the row, and are revealed to a reader",
          "moved to another document do not open",
          "written after a rotation use the new key at once; old ones still open",
        ],
      },
      {
        file: "packages/database/src/refreshed-keyring.test.ts",
        titles: ["a changed file is in force after the interval, without a restart"],
      },
    ),
  },
  {
    id: "backend 9",
    what: "a secret that has expired is told as such",
    run: proven(
      { file: rehearsals, titles: ["an expired secret"] },
      { file: "packages/cluster/src/explain.test.ts", titles: ["an expired secret"] },
    ),
  },
  {
    id: "backend 10",
    what: "throttling by Azure is waited out for as long as Azure says",
    run: proven(
      { file: rehearsals, titles: ["throttling of the first write"] },
      {
        file: "packages/azure/src/retry-advice.test.ts",
        titles: ["armRetry waits as long as the service says, and gives up on what trying again cannot cure"],
      },
    ),
  },
  {
    id: "backend 11",
    what: "an API server that never gets ready is given half an hour",
    run: proven({
      file: "packages/cluster/src/steps/api-server-ready.test.ts",
      titles: ["graph after 30 minutes, in known words"],
    }),
  },
  {
    id: "backend 12",
    what: "a domain is its first cluster's",
    run: proven(
      { file: rehearsals, titles: ["a taken domain"] },
      {
        file: "packages/cluster/src/steps/ownership.test.ts",
        titles: ["a domain belongs to the cluster that took it first, and only that one gives it back"],
      },
    ),
  },
  {
    id: "backend 13",
    what: "a resource group that is somebody else's stays so",
    run: proven(
      { file: rehearsals, titles: ["a group that somebody else manages"] },
      {
        file: "packages/cluster/src/steps/ownership.test.ts",
        titles: ["a group that someone else manages is not taken over, and survives the cluster's deletion"],
      },
    ),
  },
  {
    id: "backend 20",
    what: "a deletion takes what hangs on others first, ends the bill, and can be repeated",
    run: proven(
      {
        file: lifeOfACluster,
        titles: [
          "the cluster is on the bill from its installation on, once",
          "deletion takes what hangs on others first, and leaves the customer's network and nothing else",
        ],
      },
      { file: crashes, titles: ["so does a deletion that dies"] },
      {
        file: "packages/cluster/src/gateway-record.test.ts",
        titles: ["a link is one cluster's until it is forgotten, and only that one retires it"],
      },
    ),
  },
  {
    id: "backend 21",
    what: "a lock on the managed group stops a deletion, until it is gone",
    run: proven({ file: rehearsals, titles: ["a locked group"] }),
  },
  {
    id: "backend 22",
    what: "the clusters of a deleted subscription go, the busy ones later",
    run: proven({
      file: backend,
      titles: ["the clusters of a deleted subscription go, the failed and, once it is at rest, the busy one"],
    }),
  },
  {
    id: "backend 23",
    what: "SIGTERM begins nothing new and lets the work go on elsewhere",
    run: proven(
      {
        file: "e2e/drain.test.ts",
        titles: ["SIGTERM lets running steps end, gives the cluster back, and another start goes on"],
      },
      {
        file: backend,
        titles: ["a drained backend gives a cluster back at once, in the middle of a step's back-off"],
      },
    ),
  },
  {
    id: "backend 24",
    what: "manifests of maintenance end in their time, are tried again, and outlive their actuator",
    run: proven({
      file: actuator,
      titles: [
        "whose time is over is not begun",
        "that fails for now is pending again, and fails for good in its fifth try",
        "of a task that nobody knows fails",
        "by a kill leaves a manifest that another one goes on with, behind the finished steps",
      ],
    }),
  },
  {
    id: "backend 25",
    what: "schedules make the manifests of the periods to come, the same after a restart",
    run: proven(
      {
        file: "packages/maintenance/src/scheduler/scheduler.test.ts",
        titles: [
          "each cluster that a schedule chooses has a manifest for each of the coming periods, also after a restart",
          "a change of the schedule cancels what it no longer wants",
        ],
      },
      {
        file: "packages/maintenance/src/scheduler/plan.test.ts",
        titles: ["the place of a cluster is the same every time, and before the end of the period"],
      },
    ),
  },
  {
    id: "backend 26",
    what: "workers share the buckets evenly, and only those of the dead move",
    run: proven(
      {
        file: "packages/cluster/src/buckets/balance.test.ts",
        titles: [
          "three workers get 86, 85 and 85 buckets, or close to it",
          "the buckets of a dead worker go to the others, and no others move",
        ],
      },
      {
        file: "packages/cluster/src/buckets/bucket-pool.test.ts",
        titles: ["workers share the buckets; those of a dead one go to the others, and theirs stay"],
      },
    ),
  },
  {
    id: "backend 28",
    what: "what is out of order when an installation fails is logged, also without an API server",
    run: proven(
      {
        file: "packages/cluster/src/diagnostics/failed-operation.test.ts",
        titles: [
          "a failed install tells what is out of order, and logs machines, balancer, nodes and operators",
          "an API server that cannot be reached is said to be so, and the machines are looked at all the same",
        ],
      },
      {
        file: "packages/cluster/src/diagnostics/gather.test.ts",
        titles: ["an operation's error keeps what it says, and gains details"],
      },
    ),
  },
];
