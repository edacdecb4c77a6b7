import type { Command } from "commander";
import { addClusterCreate } from "./cluster/create.ts";
import { addClusterDelete } from "./cluster/delete.ts";
import { addClusterList } from "./cluster/list.ts";
import { addClusterLogs } from "./cluster/logs.ts";
import { addClusterScale } from "./cluster/scale.ts";
import { addClusterShow } from "./cluster/show.ts";
import { addClusterWatch } from "./cluster/watch.ts";

/** `keelson cluster ...`: manages the clusters of a running instance through its ARM API. */
export function addCluster(root: Command): Command {
  const cluster = root
    .command("cluster")
    .description('manage clusters of a running instance of "keelson up"');
  addClusterCreate(cluster);
  addClusterList(cluster);
  addClusterShow(cluster);
  addClusterWatch(cluster);
  addClusterScale(cluster);
  addClusterLogs(cluster);
  addClusterDelete(cluster);
  return cluster;
}
