import { join } from "node:path";
import process from "node:process";
import { silentLogger, systemClock } from "@keelson/base";
import { resources } from "@keelson/kube";
import { StoredObjects } from "../../testing/stored-objects.ts";
import { install } from "../install.ts";
import { NodeDisk } from "../node-disk.ts";
import { createRevision, optionsOf } from "./revision.ts";

// Installs revision 2 until the process is killed. `limit` is the number of disk accesses before the kill.
const [root = "", limit = "1"] = process.argv.slice(2);
let accesses = 0;
const disk = new NodeDisk((path) => {
  accesses += 1;
  if (accesses === Number(limit)) setImmediate(() => process.kill(process.pid, "SIGKILL"));
  return join(root, path);
});
const store = new StoredObjects();
await createRevision(store, 2);
await store.create(resources.pods, {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace: "operand", name: "installer-2-master-0", labels: { app: "installer" } },
  spec: { nodeName: "master-0.example" },
});
await install(
  optionsOf(2),
  {
    api: store,
    disk,
    node: "master-0.example",
    report: () => undefined,
    clock: systemClock,
    logger: silentLogger,
  },
  new AbortController().signal,
);
