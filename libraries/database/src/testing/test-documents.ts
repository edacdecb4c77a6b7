import { randomUUID } from "node:crypto";
import type { Secret } from "@keelson/base";
import { defineCollection } from "../documents/collection.ts";
import type { Database } from "../documents/database.ts";
import { createKeyring, generateKey } from "../encryption/keyring.ts";

/** Test document. It is stored in the tables of the service. */
export interface TestCluster {
  readonly id: string;
  readonly partitionKey: string;
  readonly key: string;
  readonly clientIdKey?: string;
  readonly busy?: boolean;
  readonly version?: number;
  readonly openShiftCluster?: {
    readonly pullSecret?: Secret | string;
    readonly sshKey?: Secret;
    readonly profiles?: readonly { readonly name?: string; readonly password?: Secret }[];
    readonly users?: Readonly<Record<string, { readonly token?: Secret }>>;
    readonly [unknownMember: string]: unknown;
  };
}

export interface TestEntry {
  readonly id: string;
  readonly partitionKey: string;
  readonly operationId: string;
  readonly pullSecret?: Secret;
  /** Time to live in seconds. Default: one hour. */
  readonly ttlSeconds?: number;
}

/** Test document in a queue with due times. */
export interface TestErrand {
  readonly id: string;
  readonly partitionKey: string;
  readonly dueAtMs: number;
  readonly priority: number;
}

const secretPaths = [
  "openShiftCluster.pullSecret",
  "openShiftCluster.sshKey",
  "openShiftCluster.profiles[].password",
  "openShiftCluster.users{}.token",
];

export const testDefinitions = {
  clusters: {
    ...defineCollection<TestCluster>({
      name: "openshift_clusters",
      keys: { key: (document) => document.key, clientIdKey: (document) => document.clientIdKey },
      unique: ["key", "clientIdKey"],
      secretPaths,
    }),
    queued: (document: TestCluster) => document.busy === true,
    fair: true as const,
  },
  journal: defineCollection<TestEntry>({
    name: "journal",
    keys: { operationId: (document) => document.operationId },
    unique: [],
    secretPaths: [],
    ttlSeconds: ({ ttlSeconds = 3_600 }) => ttlSeconds,
  }),
  errands: {
    ...defineCollection<TestErrand>({
      name: "maintenance_manifests",
      keys: {},
      unique: [],
      secretPaths: [],
      due: ({ dueAtMs, priority }) => ({ at: new Date(dueAtMs), priority }),
    }),
    queued: () => true,
  },
};

export type TestDatabase = Database<typeof testDefinitions>;

/** Returns a cluster with unique values. */
export function testCluster(overrides: Partial<TestCluster> = {}): TestCluster {
  const id = randomUUID();
  return { id, partitionKey: "subscription", key: `/key/${id}`, ...overrides };
}

export function testKeyring() {
  return createKeyring({ current: "key-1", keys: { "key-1": generateKey() } });
}
