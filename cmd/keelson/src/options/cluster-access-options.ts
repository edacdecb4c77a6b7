import { type Command, Option } from "commander";

/** Options that select the API server and credentials of a program. */
export interface ClusterAccessFlags {
  readonly kubeconfig?: string;
  readonly server?: string;
  readonly serviceAccount: string;
}

/** Adds `--kubeconfig` (described by `purpose`), and `--server` with `--service-account`. */
export function addClusterAccess(command: Command, purpose: string): Command {
  return command
    .addOption(new Option("--kubeconfig <file>", purpose).env("KUBECONFIG").conflicts("server"))
    .option(
      "--server <url>",
      "URL of the API server, instead of a kubeconfig. Requests use the token in --service-account. " +
        "Without --server and --kubeconfig, the command uses the in-cluster configuration",
    )
    .option(
      "--service-account <dir>",
      "directory with the files token and ca.crt of the service account",
      "/var/run/secrets/kubernetes.io/serviceaccount",
    );
}
